// The ledger: turns down, tellings as leaves, forks as branches, and what was set right.

import { html, Loaded, many, Name, shown, useData, useRef, useState } from './base.js';
import { Keep } from './keep.js';

const KINDS = {
  swiped: 'told again', rejected: 'dropped', 'turn-edited': 'edited', 'turn-retracted': 'taken back', 'text-erased': 'erased',
  corrected: 'corrected', 'stage-corrected': 'set right who is where', 'story-summed': 'summed up', 'run-forked': 'forked',
};
const [ROW, STEM] = [34, 40];

/** A stem with a knot a turn, its tellings as leaves to the right, branches to the left. */
function Tree({ turns, branches, run, turn, go }) {
  const height = ROW * turns.length + 10;
  const y = (n) => ROW * n + 20;
  const wide = Math.max(76, ...turns.map((t) => STEM + 30 + 14 * t.takes.length + (branches.some((b) => b.parent && b.turn === t.turn) ? 130 : 0)));
  const off = (t) => branches.filter((b) => b.parent && b.turn === t.turn);
  return html`<svg class="tree" viewBox=${`0 0 ${wide} ${height}`} width=${wide} height=${height} role="img" aria-label=${`${many(turns.length, 'turn')}, ${many(branches.length - 1, 'fork')}`}>
    <path class="stem" d=${`M${STEM} 4V${height}`} />
    ${turns.map((t, n) => html`<g key=${t.turn}>
      ${t.takes.slice(0, -1).map((take, i) => html`<path class="twig" d=${`M${STEM} ${y(n)}C${STEM + 10} ${y(n)} ${STEM + 14 + 14 * i} ${y(n) - 12} ${STEM + 22 + 14 * i} ${y(n) - 9}`} /><circle class="leaf" cx=${STEM + 26 + 14 * i} cy=${y(n) - 9} r="4"><title>take ${take.take}</title></circle>`)}
      ${off(t).map((b, i) => html`<path class="branch" d=${`M${STEM} ${y(n)}C${STEM - 14} ${y(n)} ${STEM - 20} ${y(n) + 10} ${STEM - 22} ${y(n) + 26}`} /><text x=${STEM + 60 + t.takes.length * 10} y=${y(n) + 4 + 12 * i} class="small"> ${shown(b.run).slice(0, 18)}</text>`)}
      <circle class=${`knot ${t.turn === turn ? 'here' : ''}`} cx=${STEM} cy=${y(n)} r="6" /></g>`)}</svg>`;
}

export function Ledger({ frame, turn, last, word, go, stamp }) {
  const [before, set] = useState('');
  const place = useRef();
  const found = useData('/ledger', { before, stamp });
  const [open, show] = useState(null);
  return html`<div class="head"><h2 id="view-title">${word}</h2><p class="lead">Append-only: swipes are leaves, forks are branches, corrections stand beside the turn that they correct.</p></div>
    <${Loaded} of=${found}>${(d) => { const turns = [...d.turns].reverse(); return html`<section class="card"><h3>${many(d.records, 'record')}, ${many(d.branches.length, 'run')}</h3>
      <ul class="plainlist">${d.branches.map((b) => html`<li><code>${shown(b.run)}</code>${b.parent ? html` branches off <code>${shown(b.parent)}</code>${b.turn !== null && b.turn !== undefined ? ` after turn ${b.turn}` : ''}` : ' is the first'}; it stands at turn ${b.last}
        ${b.run !== 'main' && html` <a href=${`#run=${frame.run.split('@')[0]}@${b.run}&key=${new URLSearchParams(location.hash.slice(1)).get('key') || ''}`}>open it</a>`}</li>`)}</ul></section>
      <section class="card ledger"><figure ref=${place}><${Tree} turns=${turns} branches=${d.branches} run=${frame.run} turn=${turn} go=${go} /></figure>
      <ol class="turns" reversed>${turns.map((t) => html`<li key=${t.turn} class=${t.turn === turn ? 'here' : ''}><button type="button" class="link" onClick=${() => go({ turn: Math.min(t.turn, last) })}>turn ${t.turn}</button>
        ${t.takes.length > 1 && html` <button type="button" aria-expanded=${open === t.turn} onClick=${() => show(open === t.turn ? null : t.turn)}>${t.takes.length} tellings</button>`}
        ${t.beside.map((b) => html` <span class="tag">${KINDS[b.kind] || b.kind}${b.of !== null && b.of !== undefined ? ` ${[].concat(b.of).slice(0, 1)}` : ''}</span>`)}
        <span class="note">${t.takes.length ? ` ${shown(t.takes[t.takes.length - 1].narrator)}` : ''}${t.tokens ? ` · ${t.tokens} tokens · window ${t.window}` : ''}</span>
        ${open === t.turn && t.takes.map((k) => html`<blockquote dir="auto"><b>take ${k.take}</b> ${shown(k.prose)}</blockquote>`)}</li>`)}</ol></section>
      ${d.turns.length > 0 && d.turns[0].turn > 0 && html`<button type="button" onClick=${() => set(d.turns[0].turn)}>Earlier turns</button>`} ${before !== '' && html`<button type="button" onClick=${() => set('')}>The latest</button>`}
      <${Keep} name="ledger" chart=${place} rows=${() => d.turns} all=${() => d} />`; }}<//>`;
}
