// Playing in the page: type, see it told, have it told again, put other words in its place.

import { ask, html, Loaded, Name, number, Prose, shown, useData, useEffect, useRef, useState, whole } from './base.js';

const EVENTS = 'text/event-stream';

/** Events of an answer as they come. */
async function* events(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const lines = rest.slice(0, end).split('\n');
      rest = rest.slice(end + 2);
      const of = (name) => lines.filter((l) => l.startsWith(`${name}: `)).map((l) => l.slice(name.length + 2)).join('\n');
      yield [of('event'), JSON.parse(of('data') || 'null')];
    }
  }
}

function Beside({ turn, stamp, go }) {
  const window = useData('/window', { turn, stamp });
  const field = useData('/landscape', { lettering: 1, stamp });
  const here = useData('/presence', { stamp });
  return html`<aside class="card side live" aria-label="What the story holds now"><h3>Now</h3>
    <${Loaded} of=${field}>${(f) => html`<ul class="plainlist pullsnow">${f.scenes.filter((s) => s.pull).slice(0, 6).map((s) => html`<li><span class="bar"><span class="fill" style=${{ width: `${Math.min(100, 100 * s.pull)}%` }}></span></span> <${Name}>${s.title}<//> ${number(s.pull)}</li>`)}</ul>`}<//>
    <${Loaded} of=${here}>${(list) => html`<p>Here: ${list.filter((p) => p.here).map((p, n) => html`${n ? ', ' : ''}<${Name}>${p.name}<//>${p.state ? '?' : ''}`) || 'nobody'}</p>`}<//>
    <${Loaded} of=${window}>${(w) => html`<div class="shares" aria-hidden="true">${[1, 2, 3, 4].map((t) => html`<span class=${`tier-${t}`} style=${{ flexGrow: w.items.filter((i) => i.tier === t).reduce((a, i) => a + i.tokens, 0) }}></span>`)}</div>
      <p>${whole(w.tokens)} tokens of window · <button type="button" class="link" onClick=${() => go({ view: 'window', turn: null })}>look into it</button></p>`}<//>
    <p><button type="button" onClick=${() => go({ view: 'landscape', turn: null })}>The landscape</button></p></aside>`;
}

export function Play({ frame, last, word, go, follow, stamp }) {
  const run = `/v1/runs/${frame.run}`;
  const [line, setLine] = useState('');
  const [coming, setComing] = useState('');
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState('');
  const [editing, edit] = useState(null);
  const box = useRef();
  const end = useRef();
  const page = useData('/journal', { first: Math.max(0, last - 12), last, stamp });
  const pending = frame.pending;
  useEffect(() => { if (end.current) end.current.scrollIntoView({ block: 'end' }); }, [coming, page.where, stamp]);

  const guarded = async (work) => {
    setBusy(true);
    setWrong('');
    try { await work(); } catch (error) { setWrong(shown(error.message)); } finally { setBusy(false); setComing(''); setTyped(''); follow(); }
  };
  const streamed = async (path, body) => {
    const answer = await ask(path, { method: 'POST', accept: EVENTS, body });
    let text = '';
    for await (const [name, said] of events(answer)) {
      if (name === 'prose') { text += said.text; setComing(text); }
      if (name === 'problem') throw new Error(said.detail);
      if (name === 'turn' && said.question) throw new Error(said.question);
    }
  };
  const send = () => guarded(async () => {
    const said = line.trim();
    if (!said) return;
    setTyped(said);
    setLine('');
    await streamed(`${run}/turns`, { text: said, narrate: true });
  });
  const again = () => guarded(() => streamed(`${run}/turns/current/takes`, {}));
  const drop = () => guarded(() => ask(`${run}/turns/${pending.turn}`, { method: 'DELETE' }));
  const put = () => guarded(async () => { await ask(`${run}/turns/${editing.turn}/telling`, { method: 'PUT', body: { prose: editing.prose } }); edit(null); });

  return html`<div class="head"><h2 id="view-title">${word}</h2><p class="lead">What was shown is no fact before you answer: have it told again, or put your own words in its place.</p></div>
    <div class="split"><div class="card playing">
      <${Loaded} of=${page}>${(d) => html`<div class="told" role="log" aria-live="polite" aria-label="The story">${d.turns.filter((t) => !pending || t.turn !== pending.turn).map((t) => html`<article key=${t.turn} class="turn"><h3 class="unseen">turn ${t.turn}</h3>${t.text && html`<p class="typed" dir="auto">${shown(t.text)}</p>`}<${Prose} text=${t.prose || ''} />
          <button type="button" class="quiet" aria-label=${`Edit turn ${t.turn}`} onClick=${() => edit({ turn: t.turn, prose: t.prose || '' })}>edit</button></article>`)}
        ${pending && !busy && html`<article class="turn here"><h3 class="unseen">turn ${pending.turn}</h3>${pending.text && html`<p class="typed" dir="auto">${shown(pending.text)}</p>`}${pending.prose ? html`<${Prose} text=${pending.prose} />` : html`<p class="note">${pending.question ? `Which ${shown(pending.question)}?` : 'It was not told yet.'}</p>`}</article>`}
        ${busy && html`<article class="turn here">${typed && html`<p class="typed" dir="auto">${shown(typed)}</p>`}<${Prose} text=${coming || '…'} /></article>`}<span ref=${end}></span></div>`}<//>
      ${pending && html`<p class="row tight"><button type="button" disabled=${busy} onClick=${again}>${pending.prose ? 'Tell it again' : 'Have it told'}</button>
        <button type="button" disabled=${busy || !pending.prose} onClick=${() => edit({ turn: pending.turn, prose: pending.prose })}>Put other words in its place</button>
        <button type="button" disabled=${busy || pending.turn === 0} onClick=${drop}>Take my line back</button>${pending.takes > 1 && html`<span class="note">telling ${pending.take} of ${pending.takes}</span>`}</p>`}
      ${wrong && html`<p class="problem" role="alert">${wrong}</p>`}
      ${editing && html`<form class="editing" onSubmit=${(e) => { e.preventDefault(); put(); }}><label>Turn ${editing.turn}, in other words <textarea rows="8" value=${editing.prose} onInput=${(e) => edit({ ...editing, prose: e.target.value })}></textarea></label><p class="row tight"><button class="main" disabled=${busy}>Put it there</button><button type="button" onClick=${() => edit(null)}>Leave it</button></p></form>`}
      <form class="say" onSubmit=${(e) => { e.preventDefault(); if (!busy) send(); }}><label class="unseen" for="line">What you do or say</label><textarea id="line" rows="2" ref=${box} value=${line} placeholder="What you do or say" onInput=${(e) => setLine(e.target.value)}
        onKeyDown=${(e) => { if (e.key === 'Enter' && !e.shiftKey && !e.isComposing) { e.preventDefault(); if (!busy) send(); } }}></textarea><button class="main" disabled=${busy || !line.trim()}>${busy ? 'Telling …' : 'Say it'}</button></form></div>
    <${Beside} turn=${last} stamp=${stamp} go=${go} /></div>`;
}
