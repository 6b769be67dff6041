/**
 * For pages that change while a person looks: `data-live` is replaced once the state behind it is another one. News
 * comes by the stream of `data-events`; where there is none `data-state` is asked every few seconds. `data-page` is its
 * address, where a form has led to another one. `data-left` counts
 * seconds down, and `data-copy` copies. Without script the page is whole, up to its reload.
 */
export const LIVE_SCRIPT = `
const live = document.querySelector('[data-live]');
if (live) {
  const status = document.querySelector('[data-status]');
  let looking = false;
  let again = false;
  let loadedAt = performance.now();
  const dress = () => {
    loadedAt = performance.now();
    for (const button of live.querySelectorAll('[data-copy]')) {
      button.hidden = false;
      button.addEventListener('click', async () => {
        const text = document.getElementById(button.dataset.copy);
        try {
          await navigator.clipboard.writeText(text.textContent);
          status.textContent = button.dataset.copied;
        } catch {
          getSelection().selectAllChildren(text);
        }
      });
    }
  };
  const show = (next) => {
    const focused = live.contains(document.activeElement) ? document.activeElement.id : undefined;
    live.replaceChildren(...next.childNodes);
    if (next.dataset.events === undefined) delete live.dataset.events;
    Object.assign(live.dataset, next.dataset);
    document.title = next.ownerDocument.title;
    status.textContent = next.ownerDocument.querySelector('[data-status]').textContent;
    dress();
    if (focused !== undefined) (document.getElementById(focused) ?? live.querySelector('h1')).focus();
  };
  const look = async () => {
    if (looking) {
      again = true;
      return;
    }
    looking = true;
    try {
      const reply = await fetch(live.dataset.state, { cache: 'no-store' });
      const state = await reply.json();
      if (reply.ok && state.data.mark !== live.dataset.live) {
        const page = await fetch(live.dataset.page ?? location.href, { cache: 'no-store' });
        const text = new DOMParser().parseFromString(await page.text(), 'text/html');
        const next = text.querySelector('[data-live]');
        if (page.ok && next) show(next);
      }
    } catch {}
    looking = false;
    if (again) {
      again = false;
      look();
    }
  };
  const isOver = () => live.dataset.events === undefined;
  let stream;
  const listen = () => {
    if (isOver()) return;
    stream = new EventSource(live.dataset.events);
    stream.addEventListener('state', look);
  };
  const poll = () => {
    if (isOver()) {
      stream?.close();
      return;
    }
    if (stream?.readyState === EventSource.CLOSED) listen();
    look();
    setTimeout(poll, stream?.readyState === EventSource.OPEN ? 20000 : 4000);
  };
  const count = () => {
    const left = live.querySelector('[data-left]');
    if (!left) return;
    const s = Math.round(left.dataset.left - (performance.now() - loadedAt) / 1000);
    if (s < 0) return;
    const part = (n) => String(n).padStart(2, '0');
    const hours = Math.floor(s / 3600);
    left.textContent = (hours > 0 ? hours + ':' : '') + part(Math.floor(s / 60) % 60) + ':' + part(s % 60);
    left.hidden = false;
    if (s === 0) look();
  };
  dress();
  count();
  setInterval(count, 1000);
  listen();
  setTimeout(poll, 4000);
}
`;
