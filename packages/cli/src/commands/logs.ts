import { setTimeout as pause } from 'node:timers/promises';
import type { Archipay } from '../../../sdk/src/archipay.ts';
import type { RequestLog } from '../../../sdk/src/types.generated.ts';
import { type Command, EXIT, type Given, numberOf, UsageError, wordAt } from '../command.ts';
import type { Output } from '../output.ts';

const LIMIT = 20;
const POLL_MS = 1000;

export const logs: Command = {
  name: 'logs',
  summary: 'Shows the requests that the service has answered',
  usage: 'list | tail | get REQUEST-ID',
  options: {
    status: { type: 'string', value: 'STATUS', help: 'such as 400' },
    method: { type: 'string', value: 'METHOD', help: 'such as POST' },
    path: {
      type: 'string',
      value: 'PATH',
      help: 'as the reference has it: /wallets/fiat/{wallet_id}/transactions',
    },
    code: { type: 'string', value: 'CODE', help: 'of the error, such as CARD_DECLINED' },
    limit: {
      type: 'string',
      value: 'N',
      help: `how many; ${LIMIT} without. Of tail: ends after them`,
    },
  },
  complete: (words) => (words.length <= 1 ? ['list', 'tail', 'get'] : []),
  async run(session, given) {
    const archipay = await session.person();
    const { output, signal } = session;
    switch (given.words[0]) {
      case 'list': {
        const limit = numberOf(given, 'limit') ?? LIMIT;
        print(output, await archipay.requestLogs.list(filterOf(given)).toArray({ limit }));
        return EXIT.ok;
      }
      case 'tail':
        return tail(output, archipay, { given, signal });
      case 'get': {
        const request_id = wordAt(given, 1, 'REQUEST-ID');
        const { data } = await archipay.requestLogs.get({ request_id });
        output.thing(data, { ...data, object: data.object ?? undefined });
        return EXIT.ok;
      }
      default:
        throw new UsageError('archipay logs list, tail or get');
    }
  },
};

function filterOf(given: Given) {
  const filter = {
    status: numberOf(given, 'status'),
    method: given.text('method')?.toUpperCase(),
    path: given.text('path'),
    error_code: given.text('code'),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, one]) => one !== undefined));
}

const print = (output: Output, lines: readonly RequestLog[]): void =>
  output.table(lines, (line) => ({
    time: line.at,
    status: line.status,
    method: line.method,
    path: line.path,
    ms: line.ms,
    code: line.error_code ?? '',
    request: line.request_id,
  }));

/** New lines as they come, oldest first; the command's own requests are left out. */
async function tail(
  output: Output,
  archipay: Archipay,
  { given, signal }: { readonly given: Given; readonly signal: AbortSignal },
): Promise<number> {
  const seen = new Set<string>();
  const most = numberOf(given, 'limit') ?? Number.POSITIVE_INFINITY;
  const newest = async () => {
    const { data } = await archipay.requestLogs.list({ ...filterOf(given), limit: 100 });
    return data.items.filter(({ path, request_id }) => {
      const isNew = path !== '/request-logs' && !seen.has(request_id);
      seen.add(request_id);
      return isNew;
    });
  };
  await newest();
  output.note('Waiting for requests');
  for (let shown = 0; shown < most && !signal.aborted; ) {
    await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const lines = (await newest()).reverse().slice(0, most - shown);
    print(output, lines);
    shown += lines.length;
  }
  return signal.aborted ? EXIT.interrupted : EXIT.ok;
}
