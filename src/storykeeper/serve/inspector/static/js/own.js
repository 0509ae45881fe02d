// What one of the cast has: what they perceived, and what they hold. Nothing else arrives here.

import { html, Loaded, many, Name, shown, useData } from './base.js';
import { Keep } from './keep.js';

export function Own({ frame, turn, word, stamp }) {
  const found = useData('/journal', { last: turn, stamp });
  const there = useData('/presence', { turn, stamp });
  return html`<div class="head"><h2 id="view-title">${word}</h2><p class="lead">What <strong><${Name}>${frame.name}<//></strong> saw, heard and holds at turn ${turn}, as their own window has it when it may be as long as it likes.</p></div>
    <${Loaded} of=${there}>${(list) => html`<section class="card"><h3>Here with you</h3>${list.length ? html`<ul class="people">${list.map((p) => html`<li class="here"><strong><${Name}>${p.name}<//></strong>${!p.sure && html` <span class="tag">unsure</span>`}${p.evidence && html` <q dir="auto">${shown(p.evidence)}</q>`}</li>`)}</ul>` : html`<p class="note">Nobody, as far as you can tell.</p>`}</section>`}<//>
    <${Loaded} of=${found}>${(d) => html`<div class="halves"><section class="card"><h3>Perceived</h3><ol class="perceived">${d.perceived.map((i) => html`<li key=${i.id} dir="auto">${shown(i.text.replace(/^- /, ''))}</li>`)}</ol></section>
      <section class="card"><h3>Held</h3><ul class="plainlist">${d.held.map((i) => html`<li key=${i.id} dir="auto"><pre>${shown(i.text)}</pre></li>`)}</ul></section></div>
      ${d.left_out > 0 && html`<p class="note">${many(d.left_out, 'more item')} of theirs, ${d.left_out === 1 ? 'which says' : 'which say'} the same again or found no place; “The window” lists them.</p>`}
      <${Keep} name=${`own-turn-${turn}`} rows=${() => [...d.perceived, ...d.held]} all=${() => d} />`}<//>`;
}
