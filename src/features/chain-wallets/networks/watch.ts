import { Type } from 'typebox';
import { exampleChain } from '#chains/evm/port.ts';
import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import { defineObject } from '#kernel/events/define-object.ts';
import { Nullable, oneOfWords, Timestamp } from '#kernel/http/declare/schema.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { transact } from '#kernel/transact.ts';
import type { NetworksDeps } from './deps.ts';
import { ifAnswered } from './kept-answer.ts';
import type { ObservedNetwork } from './network.ts';
import { keepLook, type NetworkState } from './store.ts';

const StateBody = Type.Object({
  network_id: Type.String(),
  status: oneOfWords(['UP', 'DOWN'] as const),
  since: Timestamp,
  head: Nullable(Type.Object({ number: Type.Integer(), hash: Type.String(), at: Timestamp })),
});

const network = defineObject({
  schema: StateBody,
  since: '2026-11',
  example: {
    network_id: exampleChain().key,
    status: 'DOWN',
    since: '2026-11-22T03:00:58.447Z',
    head: { number: 7_123_456, hash: `0x${'5f'.repeat(32)}`, at: '2026-11-22T02:58:36.000Z' },
  },
  key: ({ network_id }: NetworkState) => ({ client_id: OPERATOR_CLIENT_ID, id: network_id }),
  show: ({ network_id, status, since, height, block_hash, block_at }) => ({
    network_id,
    status: status === 'UP' ? ('UP' as const) : ('DOWN' as const),
    since,
    head:
      height !== null && block_hash !== null && block_at !== null
        ? { number: height, hash: block_hash, at: block_at }
        : null,
  }),
}).events('network', {
  down: 'A network has not answered twice in a row: its payments wait',
  up: 'A network that was down answers again',
});

export const NETWORK_EVENTS = network.types;

/** Looks at each network each minute. A network of our own that is not in use is not started for it. */
export const networkSchedule = (deps: NetworksDeps): Schedule =>
  defineSchedule({
    name: 'networks.watch',
    cron: '* * * * *',
    attempts: 1,
    run: async () => {
      const used = deps.networks.filter(({ chain }) => !chain.isOwn || chain.isRunning());
      await Promise.all(used.map((one) => lookAtNetwork(deps, one)));
    },
  });

/** Keeps what one look finds; tells the operator of a change. */
export async function lookAtNetwork(
  { db }: Pick<NetworksDeps, 'db'>,
  observed: Pick<ObservedNetwork, 'id' | 'newest'>,
): Promise<void> {
  const head = ifAnswered(await observed.newest());
  await transact(db, async (tx) => {
    const changed = await keepLook(tx, { network_id: observed.id, head });
    if (changed) network.emit(tx, changed.status === 'DOWN' ? 'down' : 'up', changed);
  });
}
