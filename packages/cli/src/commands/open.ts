import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Command, EXIT, type Given, UsageError, wordAt } from '../command.ts';
import type { Session } from '../session.ts';

const PLACES: Readonly<Record<string, string>> = {
  docs: '/docs',
  guides: '/docs/guides',
  errors: '/docs/errors',
  console: '/console',
  openapi: '/openapi.json',
};
const NAMES = [...Object.keys(PLACES), 'sandbox', 'error', 'payment'];

export const open: Command = {
  name: 'open',
  summary: 'Opens a page of the service, or prints its address where there is no browser',
  usage: `${NAMES.slice(0, -2).join(' | ')} | error CODE | payment REFERENCE`,
  complete: (words) => (words.length <= 1 ? NAMES : []),
  async run(session, given) {
    const address = await addressOf(session, given);
    const { output } = session;
    const isShown = output.isTerminal && !output.json && (await shownInBrowser(address));
    if (isShown) output.note(`Opened ${address}`);
    else output.line(output.json ? JSON.stringify({ url: address }) : address);
    return EXIT.ok;
  },
};

async function addressOf(session: Session, given: Given): Promise<string> {
  const { url } = await session.standing();
  const name = given.words[0] ?? 'docs';
  const place = PLACES[name];
  if (place !== undefined) return url + place;
  if (name === 'sandbox') return (await session.sandbox()).url;
  if (name === 'error') return `${url}/docs/errors/${wordAt(given, 1, 'CODE').toUpperCase()}`;
  if (name === 'payment') {
    return `${url}/console/timeline?q=${encodeURIComponent(wordAt(given, 1, 'REFERENCE'))}`;
  }
  throw new UsageError(`archipay open ${NAMES.join(', ')}`);
}

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

async function shownInBrowser(address: string): Promise<boolean> {
  const [program = 'xdg-open', ...words] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...words, address], { stdio: 'ignore' });
  const [code] = await once(child, 'exit').catch(() => [1]);
  return code === 0;
}
