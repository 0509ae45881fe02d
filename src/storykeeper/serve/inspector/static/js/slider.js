// The time slider: every turn of the run, and the scenes it went through.

import { html, many, Name, useMemo, useRef, useWidth } from './base.js';

/** Stretches of scenes as rectangles; what is narrower than a pixel is drawn with its neighbours. */
function stretches(lanes, last, width) {
  if (!lanes || !width) return [];
  const places = new Map();
  const at = (turn) => (turn / (last + 1)) * width;
  const found = [];
  for (const [first, end, scene] of lanes.scenes) {
    if (!places.has(scene)) places.set(scene, places.size);
    const [x, to] = [at(first), at(end + 1)];
    const before = found[found.length - 1];
    if (before && to - before.x < 1.5) { before.to = to; continue; }
    found.push({ x, to, n: places.get(scene), scene, first, end });
  }
  return found;
}

/** Where those are whose tale it is not: "Coyle’s body in the kitchen". */
function bodiesAt(lanes, players, people, turn) {
  const name = Object.fromEntries(people.map((p) => [p.id, p.name]));
  const found = players.map((who) => [who, (lanes.people[who] || []).find(([a, b]) => a <= turn && turn <= b)])
    .filter(([, run]) => run && run[4]);
  return found.map(([who, run]) => `${name[who] || who}’s body in ${lanes.names[run[4]] || run[4]}`).join(', ');
}

export function Slider({ turn, last, fact, lanes, scene, players, people, move, playing, toggle, set }) {
  const track = useRef();
  const width = useWidth(track);
  const bands = useMemo(() => stretches(lanes, last, width), [lanes, last, width]);
  const picture = useMemo(() => html`<svg class="bands" width=${width} height="14" aria-hidden="true">
    ${bands.map((b) => html`<rect x=${b.x} y="0" width=${Math.max(1, b.to - b.x - 0.5)} height="14" class=${`band-${b.n % 6}`} />`)}
    ${lanes && (lanes.edited || []).concat(lanes.gone || []).map((n) => html`<circle cx=${((n + 0.5) / (last + 1)) * width} cy="7" r="2.5" class="mended" />`)}
  </svg>`, [bands, width]);
  const name = scene && lanes ? lanes.names[scene] || scene : '';
  const tale = scene && lanes && lanes.tales[scene];
  const bodies = tale ? bodiesAt(lanes, players || [], people || [], turn) : '';
  const shownOnly = fact !== undefined && turn > fact;
  return html`<footer class="time" aria-label="Time">
    <div class="buttons">
      <button type="button" onClick=${() => move(-1)} disabled=${turn <= 0} aria-label="A turn back">‹</button>
      <button type="button" onClick=${toggle} aria-pressed=${playing} aria-label=${playing ? 'Stop' : 'Let it run'}>${playing ? '■' : '▶'}</button>
      <button type="button" onClick=${() => move(1)} disabled=${turn >= last} aria-label="A turn on">›</button>
    </div>
    <div class="where"><strong>turn ${turn}</strong><span> of ${last}</span>
      ${name && html`<span class="scene">${' '}<${Name}>${name}<//></span>`}
      ${tale && html`<span class="tale" title=${`In the tale “${tale}”${bodies ? `; ${bodies}` : ''}`}> in a tale${bodies ? html`, <${Name}>${bodies}<//>` : ''}</span>`}
      ${shownOnly && html`<span class="note"> shown, not yet fact</span>`}</div>
    <div class="track" ref=${track}>
      ${picture}
      <input type="range" min="0" max=${last} value=${turn} step="1" aria-label="Turn"
        aria-valuetext=${`turn ${turn} of ${last}${name ? `, ${name}` : ''}${tale ? `, in a tale${bodies ? `, ${bodies}` : ''}` : ''}`}
        onInput=${(e) => set(Number(e.target.value))} />
    </div>
  </footer>`;
}
