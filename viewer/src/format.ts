// Numbers and elements as text.

/// About four digits, powers of ten only where they help.
export function number(x: number, digits = 4): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? '–' : x > 0 ? '∞' : '−∞';
  if (x === 0) return '0';
  const size = Math.abs(x);
  const text = size >= 1e5 || size < 1e-3 ? x.toExponential(digits - 1).replace(/\.?0*e/, 'e').replace('e+', 'e') : String(Number(x.toPrecision(digits)));
  return text.replace(/-/g, '−');
}

/// "0.5 m"; the number alone where no units are given.
export function withUnit(text: string, unit: string | undefined): string { return unit ? `${text} ${unit}` : text; }

export function capitalized(text: string): string { return text.charAt(0).toUpperCase() + text.slice(1); }

export function seconds(x: number): string {
  return x < 1e-3 ? `${number(x * 1e6, 3)} µs` : x < 1 ? `${number(x * 1e3, 3)} ms` : x < 120 ? `${number(x, 3)} s` : `${number(x / 60, 3)} min`;
}

export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;
/// An element with attributes, listeners (names beginning with "on") and children.
export function element<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== false) made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

export function download(name: string, content: Blob): void {
  const link = element('a', { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
