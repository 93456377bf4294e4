/// The script of study.html: sorting, hiding curves, saving plots. User document: docs/guide/studies.md.
#include "page_parts.hpp"

namespace filum::study {

std::string_view page_script() {
  // The page is complete without it; what only works with it is made here.
  return R"js(
'use strict';
(() => {
  const minus = /^\u2212/;
  // "1.5e-3", "2^-9", "1/64", "12 %"; other words are no numbers.
  function number(text) {
    const s = text.trim().replace(minus, '-');
    const power = /^(-?[\d.]+)\^(-?[\d.]+)$/.exec(s.replace('^\u2212', '^-'));
    if (power) return Math.pow(power[1], power[2]);
    const ratio = /^(-?[\d.]+)\/([\d.]+)$/.exec(s);
    if (ratio) return ratio[1] / ratio[2];
    const plain = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?(\s?[^\d\s]{1,3})?$/i.exec(s);
    return plain ? parseFloat(s) : NaN;
  }
  // Numbers first, then words, then empty cells, whatever the direction.
  function compare(a, b, sign) {
    if (!a.text !== !b.text) return a.text ? -1 : 1;
    const numbers = [isNaN(a.value), isNaN(b.value)];
    if (numbers[0] !== numbers[1]) return numbers[0] ? 1 : -1;
    return sign * (numbers[0] ? a.text.localeCompare(b.text, 'en', {numeric: true}) : a.value - b.value);
  }
  function sort(table, head) {
    const column = head.cellIndex, sign = head.getAttribute('aria-sort') === 'ascending' ? -1 : 1;
    const rows = [...table.tBodies[0].rows].map((row, index) => {
      const text = row.cells[column] ? row.cells[column].textContent.trim() : '';
      return {row, index, text, value: number(text)};
    });
    rows.sort((a, b) => compare(a, b, sign) || a.index - b.index);
    for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', sign > 0 ? 'ascending' : 'descending');
    table.tBodies[0].append(...rows.map(r => r.row));
  }
  for (const table of document.querySelectorAll('table.sortable'))
    for (const head of table.tHead.rows[0].cells) {
      const button = document.createElement('button');
      button.type = 'button';
      button.title = 'Sort by this column';
      button.append(...head.childNodes);
      button.addEventListener('click', () => sort(table, head));
      head.append(button);
    }

  function toggle(svg, entry) {
    const off = entry.classList.toggle('off');
    entry.setAttribute('aria-pressed', String(!off));
    for (const curve of svg.querySelectorAll('.curve[data-curve="' + entry.dataset.curve + '"]'))
      if (off) curve.setAttribute('display', 'none'); else curve.removeAttribute('display');
  }
  for (const svg of document.querySelectorAll('figure svg'))
    for (const entry of svg.querySelectorAll('.entry[data-curve]')) {
      svg.setAttribute('role', 'group');  // the parts of an image could not be reached
      entry.classList.add('interactive');
      entry.setAttribute('role', 'button');
      entry.setAttribute('tabindex', '0');
      entry.setAttribute('aria-pressed', 'true');
      entry.setAttribute('aria-label', 'Show ' + [...entry.querySelectorAll('text')].map(t => t.textContent).join(' '));
      entry.addEventListener('click', () => toggle(svg, entry));
      entry.addEventListener('keydown', event => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        toggle(svg, entry);
      });
    }

  function save(blob, name) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }
  // As it stands, without curves that are hidden.
  function picture(svg) {
    const copy = svg.cloneNode(true);
    copy.setAttribute('role', 'img');
    copy.querySelectorAll('.curve[display], .entry.off').forEach(part => part.remove());
    for (const entry of copy.querySelectorAll('.entry')) {
      entry.classList.remove('interactive');
      for (const name of ['role', 'tabindex', 'aria-pressed', 'aria-label']) entry.removeAttribute(name);
    }
    return copy;
  }
  const blob_of = svg => new Blob([new XMLSerializer().serializeToString(svg)], {type: 'image/svg+xml;charset=utf-8'});
  function save_png(svg, name) {
    const copy = picture(svg), scale = 3;
    copy.querySelectorAll('style.dark').forEach(style => style.remove());
    const size = svg.viewBox.baseVal, canvas = document.createElement('canvas'), image = new Image();
    canvas.width = Math.ceil(size.width * scale);
    canvas.height = Math.ceil(size.height * scale);
    copy.setAttribute('width', canvas.width);
    copy.setAttribute('height', canvas.height);
    const address = URL.createObjectURL(blob_of(copy));
    image.onload = () => {
      const context = canvas.getContext('2d');
      context.fillStyle = '#fff';
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      URL.revokeObjectURL(address);
      canvas.toBlob(blob => save(blob, name + '.png'), 'image/png');
    };
    image.src = address;
  }
  for (const tools of document.querySelectorAll('.tools')) {
    const figure = tools.closest('figure'), svg = figure.querySelector('svg'), name = figure.dataset.name;
    if (!svg) continue;
    const add = (label, action) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = label;
      button.setAttribute('aria-label', 'Save ' + name + ' as ' + label);
      button.addEventListener('click', action);
      tools.append(button);
    };
    add('SVG', () => save(blob_of(picture(svg)), name + '.svg'));
    add('PNG', () => save_png(svg, name));
  }
})();
)js";
}

}  // namespace filum::study
