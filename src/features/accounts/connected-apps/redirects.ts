/** What a browser itself reads or runs, and what is sent readably through a network. */
const NEVER = new Set(['http:', 'javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:']);
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && LOOPBACK.has(hostname);

/** Why an app may not be called back at that address; undefined where it may (RFC 8252). */
export function flawOfRedirect(text: string): string | undefined {
  if (!URL.canParse(text) || /[\s\\]/.test(text)) return 'is no address';
  const url = new URL(text);
  if (url.hash !== '' || text.includes('#')) return 'has a fragment';
  if (url.username !== '' || url.password !== '') return 'has a user name';
  if (!isLoopback(url) && NEVER.has(url.protocol)) return 'is neither https nor on this computer';
  return undefined;
}

/** Whether that is a registered address; on the app's own computer at any port. */
export function isRegistered(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true;
  if (flawOfRedirect(asked) !== undefined || !isLoopback(new URL(asked))) return false;
  const port = new URL(asked).port;
  return registered.some((one) => {
    const url = new URL(one);
    if (!isLoopback(url)) return false;
    url.port = port;
    return url.href === new URL(asked).href;
  });
}

/** The address with these in its query. */
export function redirectWith(
  address: string,
  query: Readonly<Record<string, string | undefined>>,
): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/** Where that leads, for people: a host, or the name of the program that is opened. */
export function shownPlace(address: string): string {
  const { protocol, host } = new URL(address);
  return host === '' ? protocol.replace(':', '') : host;
}
