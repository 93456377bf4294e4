// Colours that stay apart for the colour-blind: Okabe and Ito's set for objects and lines, viridis for fields.

const onLight = ['#0072b2', '#d55e00', '#009e73', '#b5598c', '#2a9fd6', '#b97f00', '#555555'];
const onDark = ['#56b4e9', '#f0883e', '#2bc79a', '#e29bc4', '#9ecbff', '#e6b23a', '#b8b8b8'];
/// Lines differ by more than colour.
export const dashes: number[][] = [[], [6, 3], [2, 3], [9, 3, 2, 3], [12, 4], [4, 2, 1, 2], [1, 2]];

export type Theme = 'light' | 'dark';
export function lineColor(index: number, theme: Theme): string {
  const set = theme === 'dark' ? onDark : onLight;
  return set[index % set.length];
}

// Every sixteenth entry of viridis, interpolated.
const anchors = ['440154', '481a6c', '472f7d', '414487', '39568c', '31688e', '2a788e', '23888e', '1f988b', '22a884', '35b779', '54c568', '7ad151', 'a5db36',
  'd2e21b', 'fde725'];
const parsed = anchors.map((hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255));

/// sRGB, 0 … 1, for x in 0 … 1.
export function viridis(x: number): [number, number, number] {
  const at = Math.min(1, Math.max(0, Number.isFinite(x) ? x : 0)) * (parsed.length - 1);
  const i = Math.min(parsed.length - 2, Math.floor(at)), f = at - i;
  return [0, 1, 2].map((k) => parsed[i][k] * (1 - f) + parsed[i + 1][k] * f) as [number, number, number];
}

export function viridisGradient(): string {
  return `linear-gradient(to right, ${anchors.map((hex) => `#${hex}`).join(', ')})`;
}

const linear = (x: number) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
/// 256 entries in the linear colours that shaders expect.
export const linearViridis: Float32Array = (() => {
  const table = new Float32Array(256 * 3);
  for (let i = 0; i < 256; ++i) viridis(i / 255).forEach((x, k) => { table[3 * i + k] = linear(x); });
  return table;
})();

/// Lines and words around curves.
export function chartColors(theme: Theme): { ink: string; grid: string; reference: string } {
  return theme === 'dark' ? { ink: '#aeb6c2', grid: '#333a44', reference: '#7c8694' } : { ink: '#505a66', grid: '#e3e6eb', reference: '#8a929c' };
}
