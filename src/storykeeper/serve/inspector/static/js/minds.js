// Who knows what: people across, facts down; how each holds it, and whether it is so.

import { html, Loaded, many, Name, press, shown, useData, useRef, useState } from './base.js';
import { Keep } from './keep.js';
import { TERMS } from './words.js';

const SIGNS = { knows: '●', believes: '◐', suspects: '○' };
const wrong = (held) => held.level === 'believes' && !held.so;

function how(held) {
  const by = held.tellers.length ? `told by ${held.tellers.join(', who had it from ')}` : held.how;
  const when = held.since > 0 ? `, turn ${held.since}` : ', before the story began';
  return `${held.level} it: ${by}${when}${held.liar ? `; ${held.liar} lied` : ''}${held.so ? '' : '; it is not so'}`;
}

function Cell({ held, who, fact, chosen, choose }) {
  if (!held) return html`<td class="none"><span class="unseen">does not hold it</span></td>`;
  return html`<td class=${`${held.level} ${wrong(held) ? 'wrong' : ''} ${chosen ? 'chosen' : ''}`}><button type="button" onClick=${choose}
    aria-pressed=${chosen} title=${shown(how(held))} aria-label=${shown(`${who.name} ${how(held)}`)}>
    <span aria-hidden="true">${wrong(held) ? '✕' : SIGNS[held.level]}</span><small>${held.since > 0 ? held.since : '–'}</small></button></td>`;
}

function Thinks({ fact, turn, now, people }) {
  const found = useData('/thinks', { fact, turn: now ? null : turn });
  const name = Object.fromEntries(people.map((p) => [p.id, p.name]));
  return html`<${Loaded} of=${found}>${(d) => {
    const rows = Object.entries(d.thinks).filter(([, held]) => Object.keys(held).length);
    return rows.length ? html`<ul class="plainlist">${rows.map(([one, held]) => html`<li><strong><${Name}>${name[one]}<//></strong> thinks that ${Object.entries(held).map(([other, level], n) => html`${n ? ', ' : ''}<${Name}>${name[other]}<//> ${level} it`)}</li>`)}</ul>`
      : html`<p class="note">Nobody has seen anybody learn it.</p>`;
  }}<//>`;
}

function Fact({ d, fact, who, turn, now, go }) {
  const held = who && d.held[who][fact.id];
  const person = d.people.find((p) => p.id === who);
  const all = d.people.filter((p) => d.held[p.id][fact.id]);
  return html`<div aria-live="polite"><h3><code>${shown(fact.id)}</code>${fact.secret && html` <span class="tag">secret</span>`}</h3>
    <p dir="auto">${shown(fact.full)}</p>${fact.hint && html`<p class="note" dir="auto">Its hint: ${shown(fact.hint)}</p>`}
    ${held && html`<p class="sum"><strong><${Name}>${person.name}<//></strong> ${shown(how(held))}.</p>
      ${held.since > 0 && html`<button type="button" onClick=${() => go({ turn: held.since, view: 'journal' })}>Read turn ${held.since}</button>`}`}
    <h4>who holds it</h4>${all.length ? html`<ul class="plainlist">${all.map((p) => html`<li><strong><${Name}>${p.name}<//></strong> ${shown(how(d.held[p.id][fact.id]))}</li>`)}</ul>` : html`<p class="note">Nobody yet.</p>`}
    <h4>who thinks that who holds it</h4><${Thinks} fact=${fact.id} turn=${turn} now=${now} people=${d.people} /></div>`;
}

function Wrong({ d, choose }) {
  const found = d.people.flatMap((p) => Object.entries(d.held[p.id]).filter(([, h]) => wrong(h)).map(([fact, h]) => [p, fact, h]));
  const places = d.people.flatMap((p) => (d.places[p.id] || []).filter((w) => !w.so).map((w) => [p, w]));
  return html`<section class="card"><h3>Held, and not so</h3>${found.length + places.length === 0 ? html`<p class="note">Nobody believes anything wrong.</p>` : html`<ul class="plainlist wrongs">
    ${found.map(([p, fact, h]) => html`<li><button type="button" class="link" onClick=${() => choose([fact, p.id])}><strong><${Name}>${p.name}<//></strong></button> believes: <span dir="auto">${shown(h.said)}</span> <span class="note">${h.tellers.length ? `told by ${shown(h.tellers.join(', '))}` : shown(h.how)}${h.liar ? `, who lied` : ''}</span></li>`)}
    ${places.map(([p, w]) => html`<li><strong><${Name}>${p.name}<//></strong> thinks that <${Name}>${w.what}<//> is ${w.place ? html`in <${Name}>${w.place}<//>` : 'gone'} <span class="note">since turn ${w.since}</span></li>`)}</ul>`}</section>`;
}

export function Minds({ frame, turn, now, word, go, stamp }) {
  const found = useData('/knowledge', { turn: now ? null : turn, stamp });
  const [[fact, who], choose] = useState([null, null]);
  const [all, setAll] = useState(true);
  const d = found.data;
  const chosen = d && d.facts.find((f) => f.id === fact);
  const rows = () => d.facts.map((f) => ({ fact: f.id, said: f.full, ...Object.fromEntries(d.people.map((p) => [p.name, d.held[p.id][f.id] ? how(d.held[p.id][f.id]) : ''])) }));
  return html`<div class="head"><h2 id="view-title">${word}</h2><p class="lead">Facts down, people across. The number is the turn since which they hold it; a cross is something that is not so.</p></div>
    <${Loaded} of=${found}>${(f) => html`<div class="split"><div class="card"><ul class="legend">${Object.entries(SIGNS).map(([level, sign]) => html`<li tabindex="0" title=${TERMS[level]}><span class=${`sign ${level}`}>${sign}</span> ${level}</li>`)}<li><span class="sign wrong">✕</span> believes what is not so</li>
      <li><label class="chip"><input type="checkbox" checked=${all} onChange=${(e) => setAll(e.target.checked)} /> also what nobody holds</label></li></ul>
    <div class="scroll" tabindex="0" role="region" aria-label="Who knows what"><table class="matrix"><thead><tr><th scope="col">fact</th>${f.people.map((p) => html`<th scope="col" title=${shown(p.line)}><${Name}>${p.name}<//></th>`)}</tr></thead>
      <tbody>${f.facts.filter((x) => all || f.people.some((p) => f.held[p.id][x.id])).map((x) => html`<tr key=${x.id} class=${fact === x.id ? 'chosen' : ''}><th scope="row"><button type="button" class="link" onClick=${() => choose([x.id, null])} title=${shown(x.full)}>${shown(x.id)}</button></th>
        ${f.people.map((p) => html`<${Cell} held=${f.held[p.id][x.id]} who=${p} chosen=${fact === x.id && who === p.id} choose=${() => choose([x.id, p.id])} />`)}</tr>`)}</tbody></table></div>
    <${Keep} name=${`who-knows-what-turn-${f.turn}`} rows=${rows} all=${() => f} /></div>
    <aside class="card side" aria-label="The fact">${chosen ? html`<${Fact} d=${f} fact=${chosen} who=${who} turn=${turn} now=${now} go=${go} />` : html`<h3>${many(f.facts.length, 'fact')}, ${many(f.people.length, 'person', 'people')}</h3><p class="note">Choose a fact, or a cell, to see how somebody came by it and who thinks that who holds it.</p>`}</aside></div>
    <${Wrong} d=${f} choose=${choose} />`}<//>`;
}
