// Who knows what: people across, facts down; how each holds it, whether it is so, and whether it is said.

import { html, Loaded, many, Name, short, shown, useData, useEffect, useState } from './base.js';
import { Keep } from './keep.js';
import { TERMS } from './words.js';

const SIGNS = { knows: '●', believes: '◐', suspects: '○' };
const GIVEN_UP = '⊘';
const wrong = (held) => held.level === 'believes' && !held.so;
const since = (turn) => (turn > 0 ? `turn ${turn}` : 'before the story began');

function how(held) {
  const by = held.tellers.length ? `told by ${held.tellers.join(', who had it from ')}` : held.how;
  return `${held.level} it: ${by}, ${since(held.since)}${held.liar ? `; ${held.liar} lied` : ''}${held.so ? '' : '; it is not so'}`;
}

/** Of a belief that was given up: since when it was held, and what is known instead. */
function gaveUp(once, fact) {
  const by = once.overtaken.map((o) => (o.fact === fact ? `knows since ${since(o.since)} how it is` : `knows since ${since(o.since)} that “${o.said}”`));
  return `believed it from ${since(once.since)} on${once.liar ? ` (${once.liar} lied)` : ''}, and gave it up${by.length ? `: ${by.join(', and ')}` : ''}`;
}

function Cell({ held, once, who, fact, chosen, choose }) {
  const said = held ? `${who.name} ${how(held)}${once ? `; ${gaveUp(once, fact)}` : ''}` : once ? `${who.name} ${gaveUp(once, fact)}` : `${who.name} does not know it`;
  const level = held ? held.level : once ? 'given-up' : 'none';
  const at = held || once;
  return html`<td class=${`${level} ${held && wrong(held) ? 'wrong' : ''} ${chosen ? 'chosen' : ''}`}><button type="button" onClick=${choose}
    tabindex=${at ? null : '-1'} aria-pressed=${chosen} title=${shown(said)} aria-label=${shown(said)}>
    <span aria-hidden="true">${!at ? '' : held ? (wrong(held) ? '✕' : SIGNS[held.level]) : GIVEN_UP}${held && once ? html`<i>${GIVEN_UP}</i>` : ''}</span><small>${!at ? '' : at.since > 0 ? at.since : '–'}</small></button></td>`;
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

const Asks = ({ of }) => html`<ul class="asks">${of.map((a) => html`<li class=${a.met ? 'met' : 'unmet'}><b>${a.met ? 'met' : 'not met'}</b> ${shown(a.asks)}</li>`)}</ul>`;

/** What keeps those who have it from saying it, and what would have them say it. */
function Telling({ fact, turn, now, name }) {
  const found = useData('/telling', { fact, turn: now ? null : turn });
  const whom = (to) => shown(to.join(', '));
  return html`<${Loaded} of=${found}>${(d) => html`<ul class="plainlist telling">${Object.entries(d.holders).filter(([, h]) => !h.player).map(([who, h]) => html`<li>
      <strong><${Name}>${name[who]}<//></strong> ${h.tells.length ? '' : 'tells it to nobody of their own accord: the author wrote no time at which they would.'}
      ${h.tells.map((t) => html`tells ${whom(t.to)} ${t.suspects ? 'the hint of it ' : ''}of their own accord when all of this is so: <${Asks} of=${t.asks} />`)}
      ${h.shows.map((s) => html`<p class="note">Asked near it they show: ${shown(s.text)}</p>${s.asks.length > 0 && html`<${Asks} of=${s.asks} />`}`)}
      ${h.rules.length > 0 && html`<details><summary>what they keep to</summary><ul>${h.rules.map((r) => html`<li>${shown(r)}</li>`)}</ul></details>`}</li>`)}</ul>
    ${d.reveals.map((r) => html`<p>It comes out to ${whom(r.to)}${r.suspects ? ', as a hint,' : ''} when all of this is so:</p><${Asks} of=${r.asks} />`)}
    ${Object.values(d.holders).every((h) => h.player) && d.reveals.length === 0 && html`<p class="note">Nobody else has it, and nothing in the story brings it out.</p>`}`}<//>`;
}

function Fact({ d, fact, who, turn, now, go }) {
  const held = who && d.held[who][fact.id];
  const once = who && d.former[who][fact.id];
  const person = d.people.find((p) => p.id === who);
  const all = d.people.filter((p) => d.held[p.id][fact.id]);
  const before = d.people.filter((p) => d.former[p.id][fact.id]);
  const name = Object.fromEntries(d.people.map((p) => [p.id, p.name]));
  return html`<div aria-live="polite"><h3 dir="auto">${short(fact.full, 90)}${fact.secret && html` <span class="tag">secret</span>`}</h3>
    <p class="note"><code>${shown(fact.id)}</code>${fact.about.length > 0 && ` about ${shown(fact.about.join(', '))}`}</p>
    ${shown(fact.full).length > 90 && html`<p dir="auto">${shown(fact.full)}</p>`}${fact.hint && html`<p class="note" dir="auto">Its hint: ${shown(fact.hint)}</p>`}
    ${person && html`<p class="sum"><strong><${Name}>${person.name}<//></strong> ${held ? shown(how(held)) : once ? shown(gaveUp(once, fact.id)) : 'does not know it'}.${held && once ? ` Before that: ${shown(gaveUp(once, fact.id))}.` : ''}</p>
      ${(held || once) && (held || once).since > 0 && html`<button type="button" onClick=${() => go({ turn: (held || once).since, view: 'journal' })}>Read turn ${(held || once).since}</button>`}`}
    <h4>who holds it</h4>${all.length ? html`<ul class="plainlist">${all.map((p) => html`<li><strong><${Name}>${p.name}<//></strong> ${shown(how(d.held[p.id][fact.id]))}</li>`)}</ul>` : html`<p class="note">Nobody yet.</p>`}
    ${before.length > 0 && html`<h4>who gave it up</h4><ul class="plainlist">${before.map((p) => html`<li><strong><${Name}>${p.name}<//></strong> ${shown(gaveUp(d.former[p.id][fact.id], fact.id))}</li>`)}</ul>`}
    <h4>why it is not said</h4><${Telling} key=${fact.id} fact=${fact.id} turn=${turn} now=${now} name=${name} />
    <h4>who thinks that who holds it</h4><${Thinks} key=${fact.id} fact=${fact.id} turn=${turn} now=${now} people=${d.people} /></div>`;
}

function Wrong({ d, choose }) {
  const found = d.people.flatMap((p) => Object.entries(d.held[p.id]).filter(([, h]) => wrong(h)).map(([fact, h]) => [p, fact, h]));
  const places = d.people.flatMap((p) => (d.places[p.id] || []).filter((w) => !w.so).map((w) => [p, w]));
  const former = d.people.flatMap((p) => Object.entries(d.former[p.id]).map(([fact, once]) => [p, fact, once]));
  return html`<section class="card"><h3>Held, and not so</h3>${found.length + places.length === 0 ? html`<p class="note">Nobody believes anything wrong.</p>` : html`<ul class="plainlist wrongs">
    ${found.map(([p, fact, h]) => html`<li><button type="button" class="link" onClick=${() => choose([fact, p.id])}><strong><${Name}>${p.name}<//></strong></button> believes: <span dir="auto">${shown(h.said)}</span> <span class="note">${h.tellers.length ? `told by ${shown(h.tellers.join(', '))}` : shown(h.how)}${h.liar ? `, who lied` : ''}</span></li>`)}
    ${places.map(([p, w]) => html`<li><strong><${Name}>${p.name}<//></strong> thinks that <${Name}>${w.what}<//> is ${w.place ? html`in <${Name}>${w.place}<//>` : 'gone'} <span class="note">since turn ${w.since}</span></li>`)}</ul>`}
    ${former.length > 0 && html`<h3>Held once, and given up</h3><ul class="plainlist wrongs">${former.map(([p, fact, once]) => html`<li><button type="button" class="link" onClick=${() => choose([fact, p.id])}><strong><${Name}>${p.name}<//></strong></button> ${shown(gaveUp(once, fact))}: <span dir="auto">${shown(once.said)}</span></li>`)}</ul>`}</section>`;
}

export function Minds({ turn, now, word, go, stamp, pick }) {
  const found = useData('/knowledge', { turn: now ? null : turn, stamp });
  const [[fact, who], choose] = useState([pick || null, null]);
  const [all, setAll] = useState(true);
  useEffect(() => { if (pick) choose([pick, null]); }, [pick]);
  const d = found.data;
  const chosen = d && d.facts.find((f) => f.id === fact);
  const rows = () => d.facts.map((f) => ({ fact: f.id, said: f.full, ...Object.fromEntries(d.people.map((p) => [p.name, d.held[p.id][f.id] ? how(d.held[p.id][f.id]) : d.former[p.id][f.id] ? gaveUp(d.former[p.id][f.id], f.id) : ''])) }));
  const any = (f, id) => f.people.some((p) => f.held[p.id][id] || f.former[p.id][id]);
  return html`<div class="head"><h2 id="view-title">${word}</h2><p class="lead">Facts down, people across. The number is the turn since which they hold it; a cross is something that is not so.</p></div>
    <${Loaded} of=${found}>${(f) => html`<div class="split"><div class="card"><ul class="legend">${Object.entries(SIGNS).map(([level, sign]) => html`<li tabindex="0" title=${TERMS[level]}><span class=${`sign ${level}`}>${sign}</span> ${level}</li>`)}<li><span class="sign wrong">✕</span> believes what is not so</li><li tabindex="0" title="They believed it, and know better now."><span class="sign given-up">${GIVEN_UP}</span> gave it up</li>
      <li><label class="chip"><input type="checkbox" checked=${all} onChange=${(e) => setAll(e.target.checked)} /> also what nobody holds</label></li></ul>
    <div class="scroll" tabindex="0" role="region" aria-label="Who knows what"><table class=${`matrix ${f.people.length > 6 ? 'many' : ''}`}><thead><tr><th scope="col">fact</th>${f.people.map((p) => html`<th scope="col" title=${shown(p.line)}><${Name}>${p.name}<//></th>`)}</tr></thead>
      <tbody>${f.facts.filter((x) => all || any(f, x.id)).map((x) => html`<tr key=${x.id} class=${fact === x.id ? 'chosen' : ''}><th scope="row"><button type="button" class="link" onClick=${() => choose([x.id, null])} title=${shown(x.full)}>${short(x.full, 52)}</button><small>${shown(x.id)}</small></th>
        ${f.people.map((p) => html`<${Cell} held=${f.held[p.id][x.id]} once=${f.former[p.id][x.id]} who=${p} fact=${x.id} chosen=${fact === x.id && who === p.id} choose=${() => choose([x.id, p.id])} />`)}</tr>`)}</tbody></table></div>
    <${Keep} name=${`who-knows-what-turn-${f.turn}`} rows=${rows} all=${() => f} /></div>
    <aside class="card side" aria-label="The fact">${chosen ? html`<${Fact} d=${f} fact=${chosen} who=${who} turn=${turn} now=${now} go=${go} />` : html`<h3>${many(f.facts.length, 'fact')}, ${many(f.people.length, 'person', 'people')}</h3><p class="note">Choose a fact, or a cell, to see how somebody came by it, why they do not say it, and who thinks that who holds it.</p>`}</aside></div>
    <${Wrong} d=${f} choose=${choose} />`}<//>`;
}
