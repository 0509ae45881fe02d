// The landscape: a terrain with wells where scenes pull, sheets, arcs and gates on it.

import {
  Bar, html, Loaded, many, Name, number, press, shown, useData, useEffect, useMemo, useRef, useState, useWidth,
} from './base.js';
import { Keep } from './keep.js';
import { Lines } from './lines.js';
import { SUMS, TERMS } from './words.js';

const BANDS = ['active', 'imminent', 'approaching', 'distant', 'resolved', 'visited', 'out of reach'];
const kind = (band) => `band-${band.replace(/ /g, '-')}`;
const LINE = 15;
const PAGE = 100;

function words(scene, strongest) {
  const said = [`${scene.title}: ${scene.band}.`];
  if (scene.pull !== undefined) said.push(`Pull ${number(scene.pull)} of mass ${number(scene.mass.total)}, ${many(scene.steps, 'step')} ${scene.lateral ? 'beside the way' : 'ahead'}.`);
  if (scene.scene === strongest) said.push('Nothing pulls harder.');
  if (scene.ending) said.push('An ending.');
  return said.join(' ');
}

/** A scene: a disc whose area is its mass; an ending has a flag, a gate a ring that fills. */
function Scene({ scene, gates, foretold, chosen, strongest, choose }) {
  const { x, y, r } = scene;
  const gate = gates.length ? Math.max(...gates.map((g) => g.share)) : null;
  const round = 2 * Math.PI * (r + 6);
  return html`<g class=${`scene ${kind(scene.band)} ${chosen ? 'chosen' : ''} ${scene.scene === strongest ? 'strongest' : ''}`}
    data-scene=${scene.scene} style=${{ transform: `translate(${x}px, ${y}px)` }} tabindex="0" role="button" aria-pressed=${chosen}
    aria-label=${shown(words(scene, strongest))} ...${press(choose)}>
    <title>${shown(words(scene, strongest))}</title>
    <circle class="reach" r=${Math.max(r + 9, 18)} />
    ${foretold && html`<circle class="foretold" r=${r + 5} />`}
    <circle class="disc" r=${r} />
    ${scene.band === 'active' && html`<circle class="pulse" r=${r} /><circle class="core" r=${r * 0.42} />`}
    ${scene.ending && html`<path class="ending" d=${`M${-r * 0.3} ${r * 0.45}V${-r * 0.55}h${r * 0.75}l${-r * 0.25} ${r * 0.28}l${r * 0.25} ${r * 0.28}h${-r * 0.75}`} />`}
    ${gate !== null && (r > 6 || gate > 0) && html`<circle class="gate" r=${r + 6} /><circle class="gate open" r=${r + 6} transform="rotate(-90)"
      stroke-dasharray=${`${round * gate} ${round}`} />`}
  </g>`;
}

function Terrain({ field, chosen, choose, layers, zoom }) {
  const size = field.lettering;
  const foretold = new Set(field.prophecies.map((p) => p.target));
  const most = Math.max(0.05, ...field.pulls.map((p) => p.pull));
  const on = (name) => layers.has(name);
  const box = useMemo(() => {
    const [w, h] = [field.width / zoom.by, field.height / zoom.by];
    if (zoom.by === 1 && field.scenes.length <= 40) return [0, 40, w, h - 70];
    return [Math.max(0, Math.min(field.width - w, zoom.x - w / 2)), Math.max(0, Math.min(field.height - h, zoom.y - h / 2)), w, h];
  }, [field.width, field.height, field.scenes.length, zoom]);
  return html`<svg class="terrain" style=${{ '--letters': size }} viewBox=${box.join(' ')} role="group"
    aria-label=${`The landscape at turn ${field.turn}: ${many(field.scenes.length, 'scene')}`}>
    <g class="ground" aria-hidden="true"><title>${TERMS.ground}</title>
      ${field.ground.map((c, n) => html`<path key=${c.level} class=${`level-${n}`} d=${c.d} fill-rule="evenodd" />`)}</g>
    ${on('sheets') && html`<g class="sheets" aria-hidden="true">${field.sheets.map((s, n) => html`<g key=${s.layer} class=${`sheet sheet-${n % 4}`}>
      <path class="cloth" d=${s.fill} fill-opacity=${0.07 + 0.15 * (1 - (s.psi ?? 0))} /><path class="hem" d=${s.d}
        stroke-dasharray=${s.psi === null ? '2 5' : `${4 + 14 * (1 - s.psi)} ${2 + 8 * s.psi}`} /><text x=${s.x} y=${s.y} text-anchor="middle">${shown(s.words)}</text></g>`)}</g>`}
    <g class="rings" aria-hidden="true">${field.rings.map((r) => html`<g key=${r.word}><path d=${r.d} /><text x=${r.x} y=${r.y} text-anchor="middle">${r.word}</text></g>`)}</g>
    ${on('ways') && html`<g class="ways" aria-hidden="true">${field.ways.map((w) => html`<path d=${w.d} class=${`${w.from_here ? 'from' : ''} ${w.crosses ? 'crossing' : ''}`} />
      ${w.tip && html`<path class="tip" transform=${`translate(${w.tip[0]} ${w.tip[1]}) rotate(${(Math.atan2(w.tip[3], w.tip[2]) * 180) / Math.PI})`} d="M-9 -3.6 0 0 -9 3.6z" />`}`)}</g>`}
    ${on('pulls') && html`<g class="pulls" aria-hidden="true">${field.pulls.map((p) => html`<path key=${p.scene} d=${p.d} stroke-width=${0.6 + 7 * (p.pull / most)} stroke-opacity=${0.25 + 0.6 * (p.pull / most)} />`)}</g>`}
    ${on('arcs') && html`<g class="arcs">${field.arcs.map((a) => html`<path key=${a.prophecy} d=${a.d} stroke-width=${1.5 + 6 * a.magnitude}><title>${shown(`Foretold: ${a.event || a.prophecy} (${number(a.magnitude)})`)}</title></path>`)}</g>`}
    <g class="scenes">${field.scenes.map((s) => html`<${Scene} key=${s.scene} scene=${s} gates=${field.gates.filter((g) => g.scene === s.scene)}
      foretold=${foretold.has(s.scene)} strongest=${field.strongest} chosen=${chosen === s.scene} choose=${() => choose(s.scene)} />`)}</g>
    <g class="names" aria-hidden="true">${field.scenes.filter((s) => s.name).map((s) => html`<g key=${s.scene} data-names=${s.scene}
      class=${`${s.scene === field.strongest ? 'most' : ''} ${s.band === 'active' ? 'present' : ''}`}>${s.name.leader && html`<path class="leader" d=${s.name.leader} />`}${s.name.lines.map((line, n) => html`<text x=${s.name.x}
      y=${s.name.y + (LINE * n + 11) * size} text-anchor=${s.name.anchor} class=${n >= s.name.titles ? 'small' : ''}>${shown(line)}</text>`)}</g>`)}</g>
  </svg>`;
}

function Terms({ of, word, names, weights }) {
  const parts = names.map((name) => [name, of[name]]).filter(([, v]) => v);
  const most = Math.max(0.01, ...parts.map(([, v]) => Math.abs(v)));
  return html`<section class="terms"><h4 tabindex="0" title=${TERMS[word]}>${word} <b>${number(of.total)}</b></h4>
    ${of.stated !== null && of.stated !== undefined && html`<p class="note">as the author states, whatever its terms</p>`}
    <dl>${parts.map(([name, v]) => html`<dt>${name.replace('_', ' ')}</dt><dd><${Bar} value=${Math.abs(v)} most=${most} /> ${number(v)}${weights && html` <span class="note">weighs ${number(weights[name], 1)}</span>`}</dd>`)}</dl>
    ${parts.length > 0 && (of.stated === null || of.stated === undefined) && html`<p class="note">${SUMS[word]}</p>`}</section>`;
}

function Told({ field, scene, go }) {
  if (!scene) {
    const first = field.scenes.find((s) => s.scene === field.strongest);
    const here = field.scenes.find((s) => s.band === 'active');
    return html`<div class="told"><h3>Turn ${field.turn}</h3>
      <p>The story is in <strong><${Name}>${here ? here.title : field.here}<//></strong>.
      ${first ? html` What pulls hardest is <strong><${Name}>${first.title}<//></strong>, at ${number(first.pull)} of its mass ${number(first.mass.total)}; it is ${first.band}.` : ' Nothing pulls.'}</p>
      <p class="note">Choose a scene to see what its pull is made of.</p><${Leaning} field=${field} /></div>`;
  }
  const gates = field.gates.filter((g) => g.scene === scene.scene);
  const foretold = field.arcs.filter((a) => a.target === scene.scene);
  return html`<div class="told" aria-live="polite"><h3><${Name}>${scene.title}<//></h3>
    <p><span class=${`tag ${kind(scene.band)}`} title=${TERMS[scene.band]}>${scene.band === 'active' ? 'here' : scene.band}</span>
      ${scene.ending && html`<span class="tag">an ending</span>`}${scene.required && html`<span class="tag">required</span>`}
      ${scene.layer && html`<span class="tag">in a tale</span>`}<span class="tag">${scene.type}</span></p>
    <p class="note">${TERMS[scene.band]}</p>
    ${scene.pull !== undefined && html`<p class="sum" title=${TERMS.pull}><b>pull ${number(scene.pull, 3)}</b> = mass ${number(scene.mass.total)} × nearness ${number(scene.nearness, 3)}</p>
      <p class="note">${SUMS.nearness}</p>
      <p class="note">${many(scene.steps, 'step')} ${scene.lateral ? 'beside the way' : 'ahead'}</p>
      <${Terms} of=${scene.mass} word="mass" names=${['base', 'structural', 'dynamic', 'prophetic', 'event', 'connective']} />
      <${Terms} of=${scene.distance} word="distance" names=${['information', 'emotional', 'relational', 'physical']} weights=${scene.weights} />`}
    ${scene.stakes && html`<section><h4>at stake</h4><p dir="auto">${shown(scene.stakes)}</p></section>`}
    ${foretold.map((a) => html`<section><h4 tabindex="0" title=${TERMS.prophecy}>foretold <b>${number(a.magnitude)}</b></h4><p dir="auto">${shown(a.event || a.says || a.prophecy)}</p><p class="note">${SUMS.foretold}</p></section>`)}
    ${gates.map((g) => html`<${Gate} gate=${g} />`)}
  </div>`;
}

const Gate = ({ gate }) => html`<section class="gatebox"><h4 tabindex="0" title=${TERMS.gate}><${Name}>${gate.gate}<//> <b>${gate.waits}</b></h4>
  ${gate.means && html`<p dir="auto">${shown(gate.means)}</p>`}
  <ul>${gate.unmet.map((u) => html`<li class="unmet">waits for: ${shown(u)}</li>`)}</ul></section>`;

function Leaning({ field }) {
  return html`${field.layers.length > 0 && html`<section><h4 tabindex="0" title=${TERMS.sheet}>tales within the tale</h4><ul>${field.layers.map((l) => html`<li>
      <${Name}>${l.name}<//>: weighs ${number(l.mass.total)}, lets through ψ ${number(l.psi)}${l.active ? '; the story is in it' : ''}</li>`)}</ul></section>`}
    ${field.arcs.length > 0 && html`<section><h4 tabindex="0" title=${TERMS.prophecy}>foretold</h4><ul>${field.arcs.map((a) => html`<li>${shown(a.event || a.says || a.prophecy)} <b>${number(a.magnitude)}</b></li>`)}</ul></section>`}
    ${field.gates.filter((g) => g.share > 0 || g.close).slice(0, 6).map((g) => html`<${Gate} gate=${g} />`)}`;
}

function Table({ field, chosen, choose }) {
  const [most, more] = useState(PAGE);
  const [filter, set] = useState('');
  const rows = field.scenes.filter((s) => !filter || `${s.scene} ${s.title}`.toLowerCase().includes(filter.toLowerCase()));
  return html`<details class="list"><summary>All ${many(field.scenes.length, 'scene')} as a table</summary>
    <p class="row"><label>Find <input value=${filter} onInput=${(e) => set(e.target.value)} /></label></p>
    <div class="scroll" tabindex="0" role="region" aria-label="Scenes"><table><thead><tr><th scope="col">scene</th><th scope="col">how it stands</th><th scope="col" class="n">mass</th>
      <th scope="col" class="n">distance</th><th scope="col" class="n">steps</th><th scope="col" class="n">pull</th></tr></thead>
    <tbody>${rows.slice(0, most).map((s) => html`<tr key=${s.scene} class=${chosen === s.scene ? 'chosen' : ''}>
      <th scope="row"><button type="button" class="link" onClick=${() => choose(s.scene)}><${Name}>${s.title}<//></button></th>
      <td>${s.band === 'active' ? 'here' : s.band}</td><td class="n">${s.mass ? number(s.mass.total) : '·'}</td>
      <td class="n">${s.distance ? number(s.distance.total) : '·'}</td><td class="n">${s.steps ?? '·'}</td><td class="n">${number(s.pull, 3)}</td></tr>`)}</tbody></table></div>
    ${rows.length > most && html`<button type="button" onClick=${() => more(most + PAGE)}>More</button>`}</details>`;
}

const SHOWS = [['pulls', 'pull lines'], ['ways', 'ways'], ['sheets', 'tales'], ['arcs', 'prophecies']];

export function Landscape({ turn, now, lanes, word, go, stamp }) {
  const place = useRef();
  const width = useWidth(place);
  const lettering = !width ? null : Math.max(1, Math.min(3, Math.round((12 * 1150) / width) / 10));
  const found = useData('/landscape', { turn: now ? null : turn, lettering, stamp }, { off: !lettering });
  const [chosen, choose] = useState(null);
  const [layers, setLayers] = useState(new Set(['pulls', 'sheets', 'arcs', 'ways']));
  const [zoom, setZoom] = useState({ by: 1, x: 600, y: 500 });
  const field = found.data;
  const scene = field && field.scenes.find((s) => s.scene === chosen);
  const flip = (name) => setLayers((old) => { const next = new Set(old); if (!next.delete(name)) next.add(name); return next; });
  const nearer = (by) => setZoom((old) => ({ by: Math.max(1, Math.min(6, old.by * by)), x: scene ? scene.x : old.x, y: scene ? scene.y : old.y }));
  const rows = () => field.scenes.map((s) => ({ scene: s.scene, title: s.title, band: s.band, pull: s.pull, mass: s.mass && s.mass.total, distance: s.distance && s.distance.total, steps: s.steps }));
  return html`<div class="head"><h2 id="view-title">${word}</h2>
      <p class="lead">Wells where scenes pull, as wide as they are heavy. The story stands in the middle; what is nearer to it is felt sooner.</p></div>
    <div class="split"><figure class="card map" ref=${place}>
      <div class="row tight" role="group" aria-label="What is drawn">${SHOWS.map(([name, said]) => html`<label class="chip"><input type="checkbox" checked=${layers.has(name)} onChange=${() => flip(name)} /> ${said}</label>`)}
        <span class="zoom"><button type="button" onClick=${() => nearer(1 / 1.5)} aria-label="Farther" disabled=${zoom.by <= 1}>−</button><button type="button" onClick=${() => nearer(1.5)} aria-label="Nearer">+</button></span></div>
      <${Loaded} of=${found}>${(f) => html`<${Terrain} field=${f} chosen=${chosen} layers=${layers} zoom=${zoom} choose=${(s) => choose(chosen === s ? null : s)} />`}<//>
      <figcaption><ul class="legend">${BANDS.map((b) => html`<li tabindex="0" title=${TERMS[b]}><span class=${`dot ${kind(b)}`}></span>${b === 'active' ? 'here' : b}</li>`)}
        <li tabindex="0" title=${TERMS.gate}><span class="dot ring"></span>gate</li><li><span class="dot flag">⚑</span>ending</li><li tabindex="0" title=${TERMS.prophecy}><span class="dot arc"></span>foretold</li></ul>
      <${Keep} name=${`landscape-turn-${turn}`} chart=${place} rows=${field && rows} all=${field && (() => field)} /></figcaption>
    </figure>
    <aside class="card side" aria-label="What is to be said of it">${field && html`<${Told} field=${field} scene=${scene} go=${go} />`}</aside></div>
    ${field && html`<${Table} field=${field} chosen=${chosen} choose=${choose} />`}
    <${Through} turn=${turn} go=${go} stamp=${stamp} />`;
}

function Through({ turn, go, stamp }) {
  const found = useData('/pulls', { stamp });
  return html`<section class="card"><h3>How they pulled, turn by turn</h3><${Loaded} of=${found}>${(d) => html`<${Lines} name="pulls" turns=${d.turns}
    lines=${d.lines.map((l) => ({ name: l.title, values: l.pull }))} turn=${turn} unit="pull" go=${go} />`}<//></section>`;
}
