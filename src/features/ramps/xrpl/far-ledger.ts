import { checkDestination } from '#chains/destinations.ts';
import { type DestinationFault, type ManagedXrpl, readDestination } from '#chains/xrpl/port.ts';
import type {
  DonePayment,
  FarAddress,
  FarLedger,
  FarOrder,
  FarRecipient,
} from '#features/ramps/ramp/ramp.ts';
import type { Config } from '#kernel/config/config.ts';
import { type Outcome, unknown } from '#kernel/effects/outcome.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { chainAccounts } from './books.ts';
import { unreachable } from './ready.ts';

interface Ports {
  readonly xrpl: ManagedXrpl;
  readonly config: Pick<Config, 'MOCK_MODE'>;
  readonly isReady: boolean;
}

const field = 'recipient_address';

/** The XRP Ledger for the bridge: USDC is issued to the platform's address, and paid from there. */
export function xrplFarLedger(ports: Ports): FarLedger {
  const { xrpl, isReady } = ports;
  const { view } = xrpl.chain;
  return {
    chain: 'xrpl',
    name: 'XRPL',
    network: view.facts.name,
    confirmations: view.facts.confirmations,
    isReady,
    isOwn: xrpl.isOwn,
    explorerUrl: view.explorerUrl,
    recipientFor: (named, units) => recipientFor(ports, named, units),
    costOf: async () => ({ asset: 'XRP', units: 2n * xrpl.paymentFee() }),
    make: (order) => make(xrpl, order),
    accounts: chainAccounts,
    costLegs: async () => [],
  };
}

/** Its account has a trust line with room for so much, and a tag where its owner wants one. */
async function recipientFor(
  ports: Ports,
  { recipient_address, recipient_tag }: FarRecipient,
  units: bigint,
): Promise<FarAddress> {
  const payee = await readDestination(recipient_address, recipient_tag);
  if (typeof payee === 'string') throw wrongField(...FAULTS[payee]);
  const { address, tag = null } = payee;
  await checkDestination(ports.xrpl, address, { field });
  const room = await roomFor(ports, address);
  if (room === undefined) throw wrongField(field, 'has no trust line for USDC');
  if (room.needsTag && tag === null)
    throw wrongField('recipient_tag', 'is required', {
      code: 'DESTINATION_TAG_REQUIRED',
      said: 'recipient_address takes no payment without a recipient_tag',
    });
  if (room.units < units)
    throw fail('LIMIT_EXCEEDED', 'recipient_address trusts for less than that');
  return { address, tag };
}

/** In mock mode the sandbox opens the trust line that is not there. */
async function roomFor({ xrpl, config }: Ports, address: string) {
  const read = () => xrpl.roomOf(address);
  let room = await read();
  if (room.kind === 'done' && room.value === undefined && config.MOCK_MODE)
    if ((await xrpl.openLine(address)).kind === 'done') room = await read();
  if (room.kind === 'done') return room.value;
  throw unreachable();
}

const FAULTS: Readonly<Record<DestinationFault, readonly [string, string]>> = {
  invalid: [field, 'must be an address of the XRP Ledger'],
  'main-net': [field, 'is an X-address of the main network, not of a test network'],
  'tags differ': ['recipient_tag', 'is not the one in the X-address'],
};

/** A payment that a ledger has as failed has burnt its fee: none is signed for a recipient who cannot take it. */
async function make(
  xrpl: ManagedXrpl,
  { reference, units, to }: FarOrder,
): Promise<Outcome<DonePayment>> {
  if (to && (await xrpl.hashOf(reference)) === undefined) {
    const room = await xrpl.roomOf(to.address);
    if (room.kind !== 'done') return unknown('The XRP Ledger cannot be reached');
    if (room.value === undefined) return unknown('The recipient has no trust line for USDC');
    if (room.value.needsTag && to.tag === null) return unknown('The recipient wants a tag by now');
    if (room.value.units < units) return unknown('The recipient trusts for less than that');
  }
  const paid = await xrpl.pay({
    reference,
    units,
    purpose: to ? 'bridge send' : 'bridge mint',
    from: to ? 'platform' : 'issuer',
    to: to ? { address: to.address, ...(to.tag !== null && { tag: to.tag }) } : 'platform',
  });
  if (paid.kind !== 'done') return paid;
  return { kind: 'done', value: { hash: paid.value.hash, block: paid.value.ledger_index } };
}
