import { CIRCULATION, costLegs, type ManagedCardano, markBooked } from '#chains/cardano/port.ts';
import { checkDestination } from '#chains/destinations.ts';
import type {
  DonePayment,
  FarAddress,
  FarLedger,
  FarOrder,
  FarRecipient,
} from '#features/ramps/ramp/ramp.ts';
import { type Outcome, unknown } from '#kernel/effects/outcome.ts';
import { wrongField } from '#kernel/error.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';

const field = 'recipient_address';

/** Cardano for the bridge: USDC is minted to the treasury, and sent from there. */
export function cardanoFarLedger(cardano: ManagedCardano): FarLedger {
  const { view, isOwn } = cardano.chain;
  return {
    chain: 'cardano',
    name: 'Cardano',
    network: view.facts.name,
    confirmations: view.facts.confirmations,
    isReady: cardano.isConfigured,
    isOwn,
    explorerUrl: view.explorerUrl,
    recipientFor: (named) => recipientFor(cardano, named),
    async costOf(units, { address: to }) {
      const mint = await cardano.costOf({ kind: 'mint', units });
      return { asset: 'ADA', units: mint + (await cardano.costOf({ kind: 'send', units, to })) };
    },
    make: (order) => make(cardano, order),
    accounts: async (tx, own) => ({
      held: own,
      issued: await openAccount(tx, houseAccount(CIRCULATION, 'USDC')),
    }),
    async costLegs(tx, done) {
      if (!hasCost(done)) throw new Error(`${done.hash} has cost nothing`);
      await markBooked(tx, done.hash);
      return costLegs(tx, done);
    },
    listen: cardano.listen,
  };
}

/** With the network's fee, and the coins that went along. */
interface Costly extends DonePayment {
  readonly fee: bigint;
  readonly sent: bigint;
}

const hasCost = (done: DonePayment): done is Costly => 'fee' in done && 'sent' in done;

async function recipientFor(
  cardano: ManagedCardano,
  { recipient_address, recipient_tag }: FarRecipient,
): Promise<FarAddress> {
  if (recipient_tag !== undefined)
    throw wrongField('recipient_tag', 'is for ledgers with tags alone');
  const address = await cardano.typedAddress(recipient_address);
  if (address === undefined) throw wrongField(field, 'is not an address of a Cardano test network');
  await checkDestination(cardano, address, { field });
  return { address, tag: null };
}

/** What lapsed is signed again under its name; a treasury that is empty may be filled. */
async function make(
  cardano: ManagedCardano,
  { reference, units, to }: FarOrder,
): Promise<Outcome<Costly>> {
  const made = await cardano.send(
    to ? { reference, units, kind: 'send', to: to.address } : { reference, units, kind: 'mint' },
  );
  if (made.kind === 'refused') return unknown(`${made.code}: ${made.message}`);
  if (made.kind === 'unknown') return made;
  return { kind: 'done', value: { ...made.value, block: null } };
}
