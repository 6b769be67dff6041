import { type Command, EXIT, type Given, UsageError, wordAt } from '../command.ts';
import type { Session } from '../session.ts';
import { fieldsOf } from './api.ts';

const METHODS = ['GET', 'POST', 'DELETE'];
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

export const sandbox: Command = {
  name: 'sandbox',
  summary: 'Moves the clock, reads messages, makes providers fail: where money is not real',
  usage: 'clock [+3d] | messages ADDRESS | fault PROVIDER KIND | POST /path name=value …',
  options: { times: { type: 'string', value: 'N', help: 'of fault: how often; once without' } },
  complete: (words) => (words.length <= 1 ? ['clock', 'messages', 'fault', ...METHODS] : []),
  async run(session, given) {
    session.output.thing(await controlled(session, given));
    return EXIT.ok;
  },
};

async function controlled(session: Session, given: Given): Promise<unknown> {
  const controls = await session.sandbox();
  const name = wordAt(given, 0, 'clock, messages, fault or METHOD');
  if (name === 'clock') {
    const by = given.words[1];
    if (by === undefined) return controls.call('GET', '/clock');
    return controls.call('POST', '/clock', { advance_s: secondsOf(by) });
  }
  if (name === 'messages') {
    return controls.call('GET', `/messages?to=${encodeURIComponent(wordAt(given, 1, 'ADDRESS'))}`);
  }
  if (name === 'fault') {
    const [provider, kind] = [wordAt(given, 1, 'PROVIDER'), wordAt(given, 2, 'KIND')];
    const times = Number(given.text('times') ?? 1);
    return controls.call('POST', '/faults', { provider, kind, times });
  }
  const method = name.toUpperCase();
  if (!METHODS.includes(method)) throw new UsageError(`There is no control ${name}`);
  const fields = fieldsOf(given.words.slice(2));
  const body = method === 'GET' || Object.keys(fields).length === 0 ? undefined : fields;
  return controls.call(method, wordAt(given, 1, 'PATH'), body);
}

function secondsOf(text: string): number {
  const [, count, unit = ''] = /^\+?(\d{1,7})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * (SECONDS[unit] ?? 1);
  throw new UsageError(`${text} is no time such as +90s, +15m, +2h or +3d`);
}
