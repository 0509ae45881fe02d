// Lines through time: a chart that can be read by eye, by keyboard, and as a table.

import { html, Name, number, shown, useRef, useWidth } from './base.js';
import { Keep } from './keep.js';

const [LEFT, TOP, FOOT] = [44, 10, 26];

/** Values at turns as a path; where there is none the line has a gap. */
function drawn(values, x, y) {
  let pen = 'M';
  return values.map((v, i) => {
    if (v === null || v === undefined) { pen = 'M'; return ''; }
    const part = `${pen}${x(i).toFixed(1)} ${y(v).toFixed(1)}`;
    pen = 'L';
    return part;
  }).join('');
}

export function Lines({ name, turns, lines, turn, unit, go }) {
  const place = useRef();
  const width = Math.max(320, useWidth(place) || 900);
  const height = width < 600 ? 220 : 260;
  if (!turns.length || !lines.length) return html`<p class="note" ref=${place}>There is nothing to draw yet.</p>`;
  const [first, last] = [turns[0], turns[turns.length - 1]];
  const most = Math.max(0.01, ...lines.flatMap((l) => l.values.filter((v) => v !== null)));
  const at = (t) => LEFT + ((t - first) / Math.max(1, last - first)) * (width - LEFT - 12);
  const x = (i) => at(turns[i]);
  const y = (v) => TOP + (1 - v / most) * (height - TOP - FOOT);
  const ticks = [0, most / 2, most];
  const near = turns.reduce((best, t, i) => (Math.abs(t - turn) < Math.abs(turns[best] - turn) ? i : best), 0);
  const rows = () => turns.map((t, i) => ({ turn: t, ...Object.fromEntries(lines.map((l) => [l.name, l.values[i]])) }));
  const pick = (e) => {
    const box = e.currentTarget.getBoundingClientRect();
    const t = first + ((e.clientX - box.left) * (width / box.width) - LEFT) / (width - LEFT - 12) * (last - first);
    go({ turn: Math.max(first, Math.min(last, Math.round(t))) });
  };
  return html`<figure class="lines" ref=${place}>
    <svg viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${`${unit} by turn, ${lines.map((l) => shown(l.name)).join(', ')}`} onClick=${pick}>
      ${ticks.map((v) => html`<g class="tick"><path d=${`M${LEFT} ${y(v)}H${width - 12}`} /><text x=${LEFT - 6} y=${y(v) + 4} text-anchor="end">${number(v)}</text></g>`)}
      <g class="tick"><text x=${LEFT} y=${height - 6}>turn ${first}</text><text x=${width - 12} y=${height - 6} text-anchor="end">turn ${last}</text></g>
      ${lines.map((l, n) => html`<path key=${l.name} class=${`line hue-${n}`} d=${drawn(l.values, x, y)} />`)}
      ${turn >= first && turn <= last && html`<path class="cursor" d=${`M${at(turn)} ${TOP}V${height - FOOT}`} />`}
    </svg>
    <figcaption><ul class="legend">${lines.map((l, n) => html`<li><span class=${`dot hue-${n}`}></span><${Name}>${l.name}<//> ${number(l.values[near], 2)}</li>`)}</ul>
    <${Keep} name=${name} chart=${place} rows=${rows} all=${() => ({ turns, lines })} /></figcaption></figure>`;
}
