// Things with their tiers and weights through time, and how people stand toward each other.

import { Bar, hue, html, Loaded, many, Name, number, press, short, shown, useData, useRef, useState } from './base.js';
import { Keep } from './keep.js';
import { Lines } from './lines.js';
import { MEASURES } from './words.js';

const TIERS = ['persistent', 'tracked', 'referenced', 'mentioned'];
const PAGE = 60;

/** What there is to know of it, and the way to who knows it. */
function Facts({ of, turn, now, go }) {
  const minds = useData('/knowledge', { turn: now ? null : turn });
  const found = minds.data ? minds.data.facts.filter((f) => f.of.includes(of.id)) : [];
  return found.length > 0 && html`<h4>what there is to know of it</h4><ul class="plainlist">${found.map((f) => html`<li>${short(f.full, 90)}
    <button type="button" class="link" onClick=${() => go({ view: 'minds', pick: f.id })}>who knows it, and who does not say it</button></li>`)}</ul>`;
}

function Entity({ of, turn, now, go }) {
  const found = useData('/entity', { key: of.key });
  return html`<div aria-live="polite"><h3><${Name}>${of.words}<//></h3><p><span class="tag">${of.tier}</span><span class="tag">${of.sort}</span>${of.authored && html`<span class="tag">the author’s</span>`}</p>
    <p>${shown(of.why)}${of.promoted !== null ? `, since turn ${of.promoted}` : ''}; ${many(of.events, 'event')}, weight ${number(of.weight)}${of.by_player ? `, of it ${number(of.by_player)} by the player` : ''}.</p>
    ${of.descriptors.length > 0 && html`<p class="note">${shown(of.descriptors.join(', '))}</p>`}
    <${Facts} of=${of} turn=${turn} now=${now} go=${go} />
    <${Loaded} of=${found}>${(d) => html`<${Lines} name=${`weight-${of.words}`} turns=${d.weights.map((w) => w.turn)} lines=${[{ name: of.words, values: d.weights.map((w) => w.weight) }]} turn=${turn} unit="weight" go=${go} />
      <h4>mentioned (${d.count})</h4><ul class="plainlist mentions">${d.mentions.slice(-40).reverse().map((m) => html`<li><button type="button" class="link" onClick=${() => go({ view: 'journal', turn: m.turn })}>turn ${m.turn}</button> “${shown(m.words)}”${m.how && html` <span class="note">${shown(m.how)}</span>`}</li>`)}</ul>`}<//></div>`;
}

function Ties({ turn, now, stamp }) {
  const place = useRef();
  const found = useData('/relations', { turn: now ? null : turn, stamp });
  const [measure, set] = useState('affection');
  const [who, choose] = useState(null);
  return html`<section class="card"><h3>How they stand toward each other</h3><${Loaded} of=${found}>${(d) => {
    const edges = d.edges.filter((e) => Math.abs(e.values[measure]) > 0.001 && (!who || e.from === who || e.to === who));
    const name = Object.fromEntries(d.people.map((p) => [p.id, p.name]));
    if (!d.people.length) return html`<p class="note">Nobody stands in any way toward anybody yet.</p>`;
    return html`<p class="row"><label>Measure <select value=${measure} onChange=${(e) => set(e.target.value)}>${Object.entries(MEASURES).map(([m, w]) => html`<option value=${m} selected=${m === measure}>${m}: ${w}</option>`)}</select></label></p>
    <div class="halves"><figure ref=${place}><svg class="ties" viewBox=${`0 0 ${d.width} ${d.height}`} role="group" aria-label=${`Who ${MEASURES[measure]} whom`}>
      ${edges.map((e) => html`<path d=${e.d} class=${e.values[measure] < 0 ? 'ill' : 'well'} stroke-width=${1 + 7 * Math.abs(e.values[measure])}><title>${shown(`${name[e.from]} ${MEASURES[measure]} ${name[e.to]}: ${number(e.values[measure])}`)}</title></path>`)}
      ${d.people.map((p) => { const right = p.x > d.width / 2 + 20; const left = p.x < d.width / 2 - 20; const up = p.y < d.height / 2;
        return html`<g class=${`person ${who === p.id ? 'chosen' : ''}`} tabindex="0" role="button" aria-pressed=${who === p.id} aria-label=${shown(p.name)} ...${press(() => choose(who === p.id ? null : p.id))}>
          <circle cx=${p.x} cy=${p.y} r="11" /><text x=${p.x + (right ? 18 : left ? -18 : 0)} y=${p.y + (right || left ? 5 : up ? -20 : 32)} text-anchor=${right ? 'start' : left ? 'end' : 'middle'}>${short(p.name, 34)}</text></g>`; })}</svg></figure>
    <div class="scroll" tabindex="0" role="region" aria-label="Standings"><table><thead><tr><th scope="col">who</th><th scope="col">toward</th><th scope="col" class="n">${measure}</th><th scope="col" class="n">moved</th></tr></thead><tbody>${edges.sort((a, b) => Math.abs(b.values[measure]) - Math.abs(a.values[measure])).slice(0, 100).map((e) => html`<tr><th scope="row"><${Name}>${name[e.from]}<//></th><td><${Name}>${name[e.to]}<//></td><td class="n">${number(e.values[measure])}</td><td class="n">${e.shifts ? `${e.shifts}×, turn ${e.last}` : '·'}</td></tr>`)}</tbody></table></div></div>
    <${Keep} name=${`standings-turn-${d.turn}`} chart=${place} all=${() => d} rows=${() => d.edges.map((e) => ({ from: e.from, to: e.to, ...e.values, shifts: e.shifts }))} />`;
  }}<//></section>`;
}

export function Things({ frame, turn, now, word, go, stamp }) {
  const found = useData('/entities', { turn: now ? null : turn, stamp });
  const [key, choose] = useState(null);
  const [filter, set] = useState('');
  const [lowest, setLowest] = useState('tracked');
  const [most, more] = useState(PAGE);
  return html`<div class="head"><h2 id="view-title">${word}</h2><p class="lead">From words in passing to things that the story keeps: what happens to a thing is what it weighs.</p></div>
    <${Loaded} of=${found}>${(d) => {
      const order = TIERS.indexOf(lowest);
      const rows = d.entities.filter((e) => TIERS.indexOf(e.tier) <= order && (!filter || `${e.words} ${e.id}`.toLowerCase().includes(filter.toLowerCase())));
      const heavy = Math.max(0.01, ...d.entities.map((e) => e.weight));
      const chosen = d.entities.find((e) => e.key === key);
      return html`<div class="split"><div class="card"><p class="row"><label>Find <input value=${filter} onInput=${(e) => set(e.target.value)} /></label><label>Down to <select value=${lowest} onChange=${(e) => setLowest(e.target.value)}>${TIERS.map((t) => html`<option value=${t} selected=${t === lowest}>${t}</option>`)}</select></label></p>
      <div class="scroll" tabindex="0" role="region" aria-label="Things"><table><thead><tr><th scope="col">what</th><th scope="col">tier</th><th scope="col">weight</th><th scope="col" class="n">events</th><th scope="col" class="n">last</th></tr></thead>
      <tbody>${rows.slice(0, most).map((e) => html`<tr key=${e.key} class=${key === e.key ? 'chosen' : ''}><th scope="row"><button type="button" class="link" onClick=${() => choose(e.key)}><${Name}>${e.words}<//></button></th><td><span class=${`tag is-${e.tier}`}>${e.tier}</span></td><td><${Bar} value=${e.weight} most=${heavy} /> ${number(e.weight)}</td><td class="n">${e.events}</td><td class="n">${e.mentions ? e.last : '·'}</td></tr>`)}</tbody></table></div>
      ${rows.length > most && html`<button type="button" onClick=${() => more(most + PAGE)}>More of ${rows.length}</button>`}
      <${Keep} name=${`entities-turn-${d.turn}`} rows=${() => d.entities} all=${() => d} /></div>
      <aside class="card side" aria-label="One of them">${chosen ? html`<${Entity} key=${chosen.key} of=${chosen} turn=${turn} now=${now} go=${go} />` : html`<h3>${many(d.entities.length, 'thing')}, ${many(d.entities.filter((e) => TIERS.indexOf(e.tier) <= 1).length, 'is tracked', 'are tracked')}</h3><p class="note">Choose one to see its weight through time and where it was mentioned.</p>`}</aside></div>`;
    }}<//>
    <${Ties} turn=${turn} now=${now} stamp=${stamp} />`;
}
