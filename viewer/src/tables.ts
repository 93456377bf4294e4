// Tables that are sorted by a click on their head.
import { element } from './format';

/// "1.5e-3", "2^-9", "1/64", "12 %"; other words are no numbers.
function numberIn(text: string): number {
  const s = text.trim().replace(/^\u2212/, '-').replace('^\u2212', '^-');
  const power = /^(-?[\d.]+)\^(-?[\d.]+)$/.exec(s), ratio = /^(-?[\d.]+)\/([\d.]+)$/.exec(s);
  if (power) return Number(power[1]) ** Number(power[2]);
  if (ratio) return Number(ratio[1]) / Number(ratio[2]);
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?(\s?[^\d\s]{1,3})?$/i.test(s) ? parseFloat(s) : NaN;
}

/// Numbers first, then words, then empty cells, whatever the direction.
function compare(a: string, b: string, sign: number): number {
  if (!a !== !b) return a ? -1 : 1;
  const [x, y] = [numberIn(a), numberIn(b)];
  if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
  return sign * (Number.isNaN(x) ? a.localeCompare(b, 'en', { numeric: true }) : x - y);
}

const isEmpty = (text: string | undefined) => !text || text === '–' || text === '-';

export function sortable(head: string[], rows: string[][], links: string[], labelledBy: string): HTMLTableElement {
  const isNumber = head.map((_, k) => rows.some((row) => !isEmpty(row[k])) && rows.every((row) => isEmpty(row[k]) || !Number.isNaN(numberIn(row[k]))));
  const body = element('tbody', {}, ...rows.map((row, r) => element('tr', {}, ...row.map((text, k) =>
    element('td', isNumber[k] ? { class: 'number' } : {}, k === 0 && links[r] ? element('a', { href: links[r] }, text) : text)))));
  const heads = head.map((text, k) => element('th', { scope: 'col', ...(isNumber[k] ? { class: 'number' } : {}) },
    element('button', { type: 'button', title: 'Sort by this column', onclick: () => sort(k) }, text)));
  const sort = (column: number) => {
    const sign = heads[column].getAttribute('aria-sort') === 'ascending' ? -1 : 1, cell = (row: HTMLTableRowElement) => row.cells[column]?.textContent?.trim() ?? '';
    const sorted = [...body.rows].sort((a, b) => compare(cell(a), cell(b), sign));
    for (const other of heads) other.removeAttribute('aria-sort');
    heads[column].setAttribute('aria-sort', sign > 0 ? 'ascending' : 'descending');
    body.append(...sorted);
  };
  return element('table', { class: 'sortable', 'aria-labelledby': labelledBy }, element('thead', {}, element('tr', {}, ...heads)), body);
}
