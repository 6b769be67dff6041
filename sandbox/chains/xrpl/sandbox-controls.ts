import { randomUUID } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { ADDRESS_FORM, isXrplAddress } from '#chains/xrpl/address.ts';
import { USDC_CODE, unitsOf } from '#chains/xrpl/currency.ts';
import { library } from '#chains/xrpl/library.ts';
import type { ManagedXrpl, XrplNetwork } from '#chains/xrpl/port.ts';
import { fail } from '#kernel/error.ts';
import { text } from '#kernel/http/declare/schema.ts';
import { type FaucetReply, inWireTerms } from '#sandbox/faucet.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { type FaucetGrant, tapOf } from '../tap.ts';
import { conditionControl } from './conditions.ts';
import { printValue, readValue } from './decimal.ts';
import { GENESIS, type Ledger, openLedger } from './ledger.ts';
import { holding, orderedPair } from './lines.ts';
import { createSimulatedXrplServer, type XrplServer } from './server.ts';
import { openView, readSimulatedXrplAccount, SIMULATED_XRPL_PROVIDER } from './state.ts';

/** rippled's own for the account that has all coins when it stands alone; a secret of nothing. */
const GENESIS_SEED = 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb';
const OPENING_DROPS = 20_000_000n;
const LINE_LIMIT = '900000000';
const GENESIS_FEE = '10';

const TrustLineWish = Type.Object({ address: text(100) });

export interface XrplSandbox {
  readonly simulator: Simulator;
  /** The faucet of chain `xrpl`. */
  readonly tap: FaucetReply;
}

/** The sandbox's own ledger: a server that speaks rippled's commands, and what people do to it. */
export function xrplSandbox(network: ManagedXrpl): XrplSandbox {
  let node: Node | undefined;
  const use = (): Node => {
    if (!node) throw fail('CONFLICT', 'The sandbox’s ledger is not open');
    return node;
  };
  return {
    simulator: {
      provider: SIMULATED_XRPL_PROVIDER,
      prefix: '/xrpl',
      controls(server, world) {
        const opened = open(world);
        node = opened;
        conditionControl(server, world.records, async () => {
          for (const applied of await opened.ledger.catchUp()) opened.server.publish(applied);
        });
        server.post<{ Body: Static<typeof TrustLineWish> }>(
          '/xrpl/trust-lines',
          { schema: { body: TrustLineWish } },
          async ({ body: { address } }) =>
            inWireTerms(async () => {
              const issuer = await trust(use(), network, addressIn(address));
              return { address, issuer, currency: USDC_CODE };
            }),
        );
      },
      start: async () => async () => node?.server.close(),
      upgrade: (request, socket, head) => use().server.upgrade(request, socket, head),
    },
    tap: (gift) =>
      tapOf(network.chain, {
        tokens: ['USDC'],
        give: (wanted) => give(use(), network, wanted),
      })(gift),
  };
}

interface Node {
  readonly ledger: Ledger;
  readonly server: XrplServer;
  /** Coins of genesis, one payment after the other. */
  fund(address: string, drops: bigint): Promise<string>;
}

function open({ records, clock, faults }: World): Node {
  const ledger = openLedger(records, clock);
  const server = createSimulatedXrplServer(ledger, faults);
  let last: Promise<unknown> = Promise.resolve();
  return {
    ledger,
    server,
    fund(address, drops) {
      const mine = last.then(() => payFromGenesis({ ledger, server }, address, drops));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}

async function payFromGenesis(
  { ledger, server }: Pick<Node, 'ledger' | 'server'>,
  Destination: string,
  drops: bigint,
): Promise<string> {
  const { Wallet, ECDSA } = await library();
  const wallet = Wallet.fromSeed(GENESIS_SEED, { algorithm: ECDSA.secp256k1 });
  const genesis = await readSimulatedXrplAccount(ledger.records, GENESIS);
  const { tx_blob } = wallet.sign({
    TransactionType: 'Payment',
    Account: GENESIS,
    Destination,
    Amount: `${drops}`,
    Fee: GENESIS_FEE,
    Sequence: genesis?.sequence ?? 1,
  });
  const done = await ledger.submit(tx_blob);
  if ('invalid' in done || done.code !== 'tesSUCCESS')
    throw fail('VALIDATION_ERROR', `The ledger refused it: ${'code' in done ? done.code : ''}`);
  if (done.applied) server.publish(done.applied);
  return done.hash;
}

/** An account and a trust line, without their owner: the sandbox may do to its ledger what it likes. */
async function trust(node: Node, network: XrplNetwork, address: string): Promise<string> {
  const ready = await network.prepare();
  if (ready.kind !== 'done') throw fail('PROVIDER_UNAVAILABLE', 'The ledger is not ready');
  const { issuer } = ready.value;
  if (!(await readSimulatedXrplAccount(node.ledger.records, address)))
    await node.fund(address, OPENING_DROPS);
  if (address === issuer) return issuer;
  await node.ledger.alter(async (view) => {
    const { id, isLow } = orderedPair(address, issuer, USDC_CODE);
    const line = (await view.line(id)) ?? { ...id, balance: 0n, low_limit: 0n, high_limit: 0n };
    const side = isLow ? 'low_limit' : 'high_limit';
    if (line[side] > 0n) return;
    const account = await view.account(address);
    if (account) view.putAccount({ ...account, owned: account.owned + 1 });
    view.putLine({ ...line, [side]: readValue(LINE_LIMIT) });
  });
  return issuer;
}

async function give(node: Node, network: XrplNetwork, { to: address, asset, units }: FaucetGrant) {
  const { records } = node.ledger;
  if (asset === 'native') {
    const hash = await node.fund(address, units);
    return { hash, balance: (await readSimulatedXrplAccount(records, address))?.drops ?? 0n };
  }
  const issuer = await trust(node, network, address);
  const paid = await network.pay({
    reference: `xrpl-faucet:${randomUUID()}`,
    purpose: 'faucet',
    from: 'issuer',
    to: { address },
    units,
  });
  if (paid.kind === 'refused') throw fail('VALIDATION_ERROR', paid.message);
  if (paid.kind === 'unknown') throw fail('PROVIDER_UNAVAILABLE', paid.cause);
  const held = await holding(openView(records), address, issuer, USDC_CODE);
  return { hash: paid.value.hash, balance: unitsOf(printValue(held?.balance ?? 0n)) };
}

function addressIn(given: string): string {
  if (isXrplAddress(given)) return given;
  throw fail('VALIDATION_ERROR', `Not an address of xrpl: ${ADDRESS_FORM}`);
}
