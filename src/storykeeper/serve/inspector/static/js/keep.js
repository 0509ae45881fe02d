// Charts as SVG and PNG, data as CSV and JSON: made here, in the browser, from what is shown.

import { html } from './base.js';

const PAINT = ['fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray',
  'stroke-linecap', 'stroke-linejoin', 'opacity', 'font-family', 'font-size', 'font-weight', 'font-style',
  'text-anchor', 'paint-order', 'display', 'visibility', 'dominant-baseline'];

/** The drawing with all that a style sheet gave it written on it, so that it stands alone. */
export function alone(svg) {
  const copy = svg.cloneNode(true);
  const [from, to] = [svg.querySelectorAll('*'), copy.querySelectorAll('*')];
  from.forEach((one, i) => {
    const style = getComputedStyle(one);
    for (const name of PAINT) {
      const value = style.getPropertyValue(name);
      if (value) to[i].setAttribute(name, value);
    }
    for (const gone of ['class', 'style', 'tabindex', 'role', 'aria-label', 'aria-pressed']) to[i].removeAttribute(gone);
  });
  const box = svg.viewBox.baseVal;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', box.width);
  copy.setAttribute('height', box.height);
  for (const gone of ['class', 'style', 'tabindex']) copy.removeAttribute(gone);
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of [['x', box.x], ['y', box.y], ['width', box.width], ['height', box.height]]) ground.setAttribute(name, value);
  ground.setAttribute('fill', getComputedStyle(document.body).backgroundColor);
  copy.insertBefore(ground, copy.firstChild);
  return new XMLSerializer().serializeToString(copy);
}

function save(name, blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const saveSvg = (name, svg) => save(`${name}.svg`, new Blob([alone(svg)], { type: 'image/svg+xml' }));

async function savePng(name, svg) {
  const box = svg.viewBox.baseVal;
  const address = URL.createObjectURL(new Blob([alone(svg)], { type: 'image/svg+xml' }));
  try {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    const canvas = document.createElement('canvas');
    canvas.width = box.width * 2;
    canvas.height = box.height * 2;
    canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(`${name}.png`, blob), 'image/png');
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A cell that a spreadsheet reads as text, whatever it begins with. */
function cell(value) {
  const text = value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

export function csv(rows) {
  const names = [...new Set(rows.flatMap(Object.keys))];
  return [names, ...rows.map((row) => names.map((name) => row[name]))].map((row) => row.map(cell).join(',')).join('\r\n');
}

/** The buttons beside a chart or a table. */
export function Keep({ name, chart, rows, all }) {
  const svg = () => chart.current && (chart.current.matches('svg') ? chart.current : chart.current.querySelector('svg'));
  return html`<div class="keep" role="group" aria-label=${`Download ${name}`}>
    ${chart && html`<button type="button" onClick=${() => saveSvg(name, svg())} aria-label=${`${name} as SVG`}>SVG</button>
      <button type="button" onClick=${() => savePng(name, svg())} aria-label=${`${name} as PNG`}>PNG</button>`}
    ${rows && html`<button type="button" aria-label=${`${name} as CSV`}
      onClick=${() => save(`${name}.csv`, new Blob(['\ufeff', csv(rows())], { type: 'text/csv;charset=utf-8' }))}>CSV</button>`}
    ${all && html`<button type="button" aria-label=${`${name} as JSON`}
      onClick=${() => save(`${name}.json`, new Blob([JSON.stringify(all(), null, 1)], { type: 'application/json' }))}>JSON</button>`}
  </div>`;
}
