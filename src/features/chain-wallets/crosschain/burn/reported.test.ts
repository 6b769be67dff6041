import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { transact } from '#kernel/transact.ts';
import { cctp } from '#providers/cctp/adapter.ts';
import { mover, someHash } from '#test/crosschain.ts';
import { harness } from '#test/harness.ts';
import { gate, untilLockAwaited } from '#test/waiting.ts';
import { crosschainDeps } from '../crosschain.ts';
import { burnId, lockTransfer } from '../store.ts';

const h = await harness();
const person = mover(h, await h.user());
const { burns } = crosschainDeps({
  ...h.kernel,
  evm: h.app.evm,
  cctp: cctp({ url: () => '', chains: {}, relayer: () => h.app.evm.keys.relayer.address }),
  signersOf: async () => [],
});

it.each(['BURNED', 'FAILED'])(
  'that a transfer is %s is not taken from somebody in the moment in which we begin to burn it',
  async (status) => {
    const log = await person.begun();
    const begun = gate();
    const beginning = transact(h.db, async (tx) => {
      const transfer = await lockTransfer(tx, log.log_id);
      if (transfer === undefined) throw new Error('No transfer');
      const owner = randomUUID();
      await h.kernel.effects.begin(tx, burns, burnId(transfer), { owner });
      await begun.pass();
    });
    await begun.reached;
    const told = person.confirm(log, status, someHash());
    await untilLockAwaited(h);
    begun.open();
    await beginning;
    expect(await told).toMatchObject([503, { code: 'NOT_READY' }]);
    expect((await person.details(log))[1].data.transaction.status).toBe('INITIATED');
  },
);
