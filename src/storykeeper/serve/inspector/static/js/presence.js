// Who is where: a lane a person, places as colours, what is unsure hatched; and who perceived what.

import { ask, flowing, hue, html, Loaded, Name, press, shown, useData, useMemo, useRef, useState, useWidth } from './base.js';
import { Keep } from './keep.js';

const SPANS = [['all', 'the whole run'], ['200', '200 turns'], ['40', '40 turns']];
const [LANE, HEAD] = [30, 22];
const STATE = { unsure: 'nobody can tell', away: 'stepped out', hidden: 'hidden', asleep: 'asleep' };

function Lanes({ lanes, frame, turn, go, span }) {
  const place = useRef();
  const width = Math.max(340, useWidth(place) || 900);
  const longest = Math.max(4, ...frame.people.map((p) => shown(p.name).length));
  const left = Math.min(width < 520 ? 0.3 * width : 0.25 * width, Math.max(60, 16 + 6.9 * longest));
  const [first, last] = span === 'all' ? [lanes.first, lanes.last]
    : [Math.max(lanes.first, turn - span / 2), Math.min(lanes.last, Math.max(turn + span / 2, lanes.first + Number(span)))];
  const places = useMemo(() => {
    const found = new Map();
    for (const runs of Object.values(lanes.people)) for (const [, , where] of runs) if (where && !found.has(where)) found.set(where, found.size);
    return found;
  }, [lanes]);
  const at = (t) => left + ((t - first) / Math.max(1, last + 1 - first)) * (width - left - 6);
  const height = HEAD + LANE * frame.people.length + 22;
  const cut = (runs) => {
    const kept = [];
    for (const [a, b, where, state, body] of runs) {
      if (b < first || a > last) continue;
      const [x, to] = [at(Math.max(a, first)), at(Math.min(b, last) + 1)];
      const before = kept[kept.length - 1];
      if (before && to - before.x < 1.2) { before.to = to; continue; }
      kept.push({ a, b, where, state, body, x, to });
    }
    return kept;
  };
  const pick = (e) => {
    const box = e.currentTarget.getBoundingClientRect();
    const t = first + (((e.clientX - box.left) * width) / box.width - left) / (width - left - 6) * (last + 1 - first);
    if (t >= first) go({ turn: Math.min(last, Math.floor(t)) });
  };
  const name = (id) => (id ? lanes.names[id] || id : 'nobody knows where');
  return html`<figure ref=${place} class="lanes"><svg viewBox=${`0 0 ${width} ${height}`} role="img" onClick=${pick}
      aria-label=${`Where everybody was from turn ${first} to turn ${last}`}>
    <defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatching" d="M0 0V6" /></pattern></defs>
    ${lanes.scenes.filter(([a, b]) => b >= first && a <= last).slice(0, 400).map(([a, b, s], n) => html`<rect class=${`bandline ${n % 2 ? 'odd' : ''}`} x=${at(Math.max(a, first))} y="0" width=${at(Math.min(b, last) + 1) - at(Math.max(a, first))} height=${height - 20}><title>${shown(name(s))}</title></rect>`)}
    ${frame.people.map((p, row) => html`<g key=${p.id}><text x=${left - 8} y=${HEAD + LANE * row + 18} text-anchor="end"><title>${shown(p.name)}</title>${cutTo(p.name, (left - 14) / 6.6)}</text>
      ${cut(lanes.people[p.id] || []).map((r) => html`<g><rect x=${r.x} y=${HEAD + LANE * row + 3} width=${Math.max(0.8, r.to - r.x - 0.6)} height=${LANE - 8} rx="3"
        class=${`lane ${r.where ? hue(places.get(r.where)) : 'nowhere'} ${r.state}`}><title>${shown(`${p.name}: ${name(r.where)}${r.body ? `, in a tale, the body in ${name(r.body)}` : ''}${r.state ? `, ${STATE[r.state]}` : ''}, turns ${r.a}–${r.b}`)}</title></rect>
        ${r.state && html`<rect x=${r.x} y=${HEAD + LANE * row + 3} width=${Math.max(0.8, r.to - r.x - 0.6)} height=${LANE - 8} fill="url(#hatch)" pointer-events="none" />`}</g>`)}</g>`)}
    ${turn >= first && turn <= last && html`<path class="cursor" d=${`M${(at(turn) + at(turn + 1)) / 2} 4V${height - 20}`} />`}
    <text class="small" x=${left} y=${height - 5}>turn ${first}</text><text class="small" x=${width - 6} y=${height - 5} text-anchor="end">turn ${last}</text></svg>
    <figcaption><ul class="legend">${[...places].map(([id, n]) => html`<li><span class=${`dot ${hue(n)}`}></span><${Name}>${name(id)}<//></li>`)}<li><span class="dot nowhere"></span>nobody knows where</li><li><span class="dot hatch"></span>unsure, away, hidden or asleep</li></ul>
    <${Keep} name="who-is-where" chart=${place} all=${() => lanes} rows=${() => Object.entries(lanes.people).flatMap(([who, runs]) => runs.map(([from, to, where, state]) => ({ who, from, to, place: where, state })))} /></figcaption></figure>`;
}

function Settle({ p, now, frame, follow }) {
  const [said, say] = useState('');
  const set = async (body) => {
    try {
      await ask(`/v1/runs/${frame.run}/corrections`, { method: 'POST', body });
      say('set right, on record');
      follow();
    } catch (error) { say(shown(error.message)); }
  };
  if (!now || p.player) return null;
  return html`<span class="settle">${p.here
    ? html`<button type="button" onClick=${() => set({ gone: [p.who] })} aria-label=${`set right: not here, ${p.name}`}>set right: not here</button>`
    : html`<button type="button" onClick=${() => set({ here: [p.who] })} aria-label=${`set right: is here, ${p.name}`}>set right: is here</button>`}
    ${p.state === 'unsure' && html`<button type="button" onClick=${() => set({ here: [p.who] })}>here for sure</button>`}<span role="status">${said}</span></span>`;
}

function Now({ turn, now, frame, follow, stamp }) {
  const found = useData('/presence', { turn: now ? null : turn, stamp });
  return html`<section class="card"><h3>After turn ${turn}</h3><${Loaded} of=${found}>${(list) => html`<ul class="people">${list.map((p) => html`<li key=${p.who} class=${p.here ? 'here' : ''}>
    <strong><${Name}>${p.name}<//></strong> ${p.place ? html`in <${Name}>${p.place}<//>` : 'nobody knows where'}${p.body && html` <span class="tag">in a tale; the body in <${Name}>${p.body}<//></span>`}${p.state && html` <span class="tag">${STATE[p.state]}</span>`}
    ${p.holds.length > 0 && html` <span class="note">has ${shown(p.holds.join(', '))}</span>`}
    ${p.evidence && html` <q dir="auto">${shown(p.evidence)}</q>`}${p.says && html` <span class="note">says the ${p.says}, turn ${p.turn}</span>`}
    <${Settle} p=${p} now=${now} frame=${frame} follow=${follow} /></li>`)}</ul>`}<//></section>`;
}

/** A name as long as there is room for, with a mark where it goes on. */
const cutTo = (name, most) => (shown(name).length <= most ? shown(name) : `${shown(name).slice(0, Math.max(3, most - 1))}…`);
const KINDS = { speech: 'said', act: 'done', description: 'there' };

function Pieces({ turn, fact, frame }) {
  const [who, choose] = useState('');
  const [chosen, pick] = useState(null);
  const found = useData('/pieces', { turn: Math.min(turn, fact) }, { off: fact < 0 });
  const name = Object.fromEntries(frame.people.map((p) => [p.id, p.name]));
  const place = Object.fromEntries(frame.people.map((p, n) => [p.id, n]));
  return html`<section class="card"><h3>Who perceived it</h3><p class="row"><span>Turn ${Math.min(turn, fact)}, piece by piece.</span><label>Only what <select value=${who} onChange=${(e) => choose(e.target.value)}><option value="">anybody</option>${frame.people.map((p) => html`<option value=${p.id}>${shown(p.name)}</option>`)}</select> perceived</label></p>
    <p class="note legend"><span class="chipname">a name</span> perceived it <span class="chipname not"><s>a name</s></span> was near, and did not hear or see it</p>
    <${Loaded} of=${found}>${(t) => html`<div class="pieces" dir="auto">${t.text && html`<p class="typed">${shown(t.text)}</p>`}${t.pieces.map((p, n) => html`<div key=${n} role="button" tabindex="0" aria-pressed=${chosen === n} ...${press(() => pick(chosen === n ? null : n))}
      class=${`bit ${who && !p.perceived_by.includes(who) ? 'deaf' : ''} ${p.kept_from.length ? 'kept' : ''} ${chosen === n ? 'chosen' : ''}`}>
      <span class="words">${flowing(p.text)}</span> <span class="by">${p.perceived_by.map((w) => html`<span class=${`chipname ${hue(place[w])}`} title=${`${shown(name[w])} perceived it`}><${Name}>${name[w] || w}<//></span> `)}
        ${p.kept_from.map((k) => html`<span class="chipname not" title=${shown(`did not perceive it: ${k.why}`)}><span class="unseen">did not hear: </span><s><${Name}>${name[k.who] || k.who}<//></s></span> `)}</span>
      ${chosen === n && html`<div class="why"><p>${p.kind}${p.speaker ? html`, by <${Name}>${name[p.speaker] || p.speaker}<//>` : ''}; ${p.says && p.says !== 'reader' ? `the ${p.says} says whom it is for` : 'nobody says whom it is for: those there perceive it'}</p>
        ${p.kept_from.map((k) => html`<p>not by <${Name}>${name[k.who] || k.who}<//>: ${shown(k.why)}</p>`)}</div>`}</div>`)}
      ${t.pieces.length === 0 && html`<p class="note">Nothing of this turn was cut into pieces.</p>`}</div>`}<//></section>`;
}

export function Presence({ frame, lanes, turn, now, word, go, follow, stamp }) {
  const [span, setSpan] = useState('all');
  return html`<div class="head"><h2 id="view-title">${word}</h2><p class="lead">A lane a person, a colour a place. Click in time; set right what is wrong, from now on.</p></div>
    <section class="card"><p class="row"><label>Show <select value=${span} onChange=${(e) => setSpan(e.target.value)}>${SPANS.map(([v, w]) => html`<option value=${v}>${w}</option>`)}</select></label></p>
    ${lanes && lanes.people && lanes.scenes.length ? html`<${Lanes} lanes=${lanes} frame=${frame} turn=${turn} go=${go} span=${span} />` : html`<p class="waiting">${lanes ? 'No turn is fact yet.' : 'Reading the run …'}</p>`}</section>
    <div class="halves"><${Now} turn=${turn} now=${now} frame=${frame} follow=${follow} stamp=${stamp} /><${Pieces} turn=${turn} fact=${frame.fact ?? turn} frame=${frame} /></div>`;
}
