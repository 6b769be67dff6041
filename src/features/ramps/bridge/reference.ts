import { exampleChain } from '#chains/evm/port.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const STATUSES = {
  AWAITING_FUNDS: 'It waits for a deposit from outside',
  BURNING: 'The burn on the first chain is under way',
  BURNED: 'It was burnt, and its confirmations are counted',
  ATTESTED: 'The burn is final: the amount is owed until it has arrived',
  MINTING: 'The mint on the second chain is under way, to an address of the platform',
  SENDING: 'It is sent on to the recipient',
  COMPLETED: 'The recipient has it',
  STALLED: 'A day has passed without its arrival; every step is asked for again until it has come',
  ADVANCED:
    'Two operators have decided to pay the source; a mint that comes later is the platform’s',
  FAILED: 'Nothing was burnt, and nothing will be',
  CANCELLED: 'No deposit came',
};

const STEPS = {
  burn: 'The burn on the first chain; outside the EVM chains the payment to the platform’s treasury there',
  attest: 'The burn has its confirmations, and the word of those who attest it',
  mint: 'The mint or issue on the second chain, to an address of the platform',
  send: 'The payment from there to the recipient',
  advance: 'The payment to the source, ahead of a mint that has not come',
};
const MODES = {
  fast: 'Before the burn is final, for a higher fee',
  standard: 'Once the burn is final',
};
const QUOTE_STATUSES = {
  OPEN: 'It may be used',
  USED: 'A transfer was made by it',
  EXPIRED: 'Its minute is over',
  CANCELLED: 'Its owner gave it up',
};
const ROUTE = `${exampleChain().key}-${exampleChain(1).key}`;
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

const WORDS: FeatureWords = {
  tags: {
    bridge: {
      group: 'Crypto',
      text: 'One call moves USDC from a wallet on one chain to a person on another one, and is followed to its end.',
    },
  },
  titles: {
    'bridge.create': 'Begin a transfer over the bridge',
    'bridge.get': 'Get a transfer over the bridge',
    'bridge.list': 'List transfers over the bridge',
    'bridge.createQuote': 'Quote a transfer',
    'bridge.proposeAdvance': 'Propose to pay ahead',
    'bridge.approveAdvance': 'Pay ahead',
  },
  descriptions: {
    'bridge.listRoutes':
      'Any API key may call it. `estimated_seconds` is what the last hundred transfers of that route took; null before the first. DOWN: the operator has stopped it, or there is no such chain here. DEGRADED: a transfer on it has not arrived for a day.',
    'bridge.changeRoute':
      'A stopped route takes no quotes and no new transfers, also by quotes that exist. What is under way goes on, since it is owed.',
    'bridge.createQuote':
      'Both fees come off the amount: `min_received` arrives. The quote holds for sixty seconds, is used by one transfer, and is signed like a quote between currencies; `GET /fx/quotes` lists it, too. The recipient is checked by its chain: its checksum and network, on a ledger with trust lines also its line, the room in it, and whether its owner wants a tag (`recipient_tag`, or an X-address). At most 20 quotes of a user are open at once, of all kinds.',
    'bridge.create':
      'The amount is burnt at the source and minted to an address of the platform on the second chain, which then pays the recipient. Outside the EVM chains it is paid to the treasury, which keeps it for as long as what is minted there goes about. Nothing is minted back: what was burnt stays owed until it has arrived, and each step is asked for again for as long as that takes. The source is a managed address of the caller’s. The amount counts against the daily limit of cross-chain transfers. `bridge_transfer.completed` says that it has arrived; the answer may say so already.',
    'bridge.list': 'Users see their own transfers, an admin those of the own client.',
    'bridge.proposeAdvance':
      'Possible while the burn is final, the mint has not come for a day and nothing was sent to the recipient. Another operator approves it.',
    'bridge.approveAdvance':
      'By another operator than the one who proposed it. From then on the recipient gets nothing: the source gets the amount without the fees, from the treasury on its own chain, and a mint that comes later is the platform’s. Names the version that was read.',
  },
  values: {
    'BridgeTransfer.status': STATUSES,
    'bridge.list.status': STATUSES,
    'BridgeQuote.kind': { fx: 'A price of one currency in another', bridge: 'What arrives' },
    'BridgeQuote.status': QUOTE_STATUSES,
    'BridgeStep.name': STEPS,
    'BridgeStep.state': {
      PENDING: 'It is under way',
      DONE: 'It is done, and has its confirmations',
      FAILED: 'It did not happen',
    },
    'BridgeMode.mode': MODES,
    'BridgeQuote.mode': MODES,
    'bridge.createQuote.mode': MODES,
    'BridgeRoute.status': {
      UP: 'It is open',
      DEGRADED: 'It is open, and a transfer on it has not arrived for a day',
      DOWN: 'It takes nothing new',
    },
  },
  places: {
    'BridgeRoute.stop_reason': 'The far chain is being upgraded',
    'BridgeQuote.rate_source': 'bridge',
    'BridgeQuote.residue': '0',
    'BridgeQuote.used_by': 'brt_06f4t3xet5c77bsdh7wedf8g8s',
    'BridgeQuote.signature': 'eyJhbGciOiJFZERTQSJ9.eyJxdW90ZV9pZCI6InF0ZV8wMSJ9.c2lnbmF0dXJl',
    'BridgeTransfer.delay_reason':
      'The mint has not arrived yet; it is asked for again until it has',
    'BridgeTransfer.substatus': 'stalled',
    'BridgeTransfer.mode': 'standard',
    'BridgeTransfer.amount': '25.000000',
    'BridgeTransfer.received': '24.900000',
    'BridgeTransfer.fees': '0.100000',
    'BridgeTransfer.platform_fee': '0.100000',
    'BridgeTransfer.network_fee': '0.000000',
    'BridgeTransfer.recipient_address': ADDRESS,
    'BridgeTransfer.source_address': ADDRESS,
    'BridgeTransfer.recipient_tag': 7,
    'BridgeQuote.recipient_tag': 7,
    'QuotedBridge.recipient_tag': 7,
    'BridgeRoute.route_id': ROUTE,
    'BridgeRoute.daily_cap': '1000000.000000',
    'bridge.changeRoute.route_id': ROUTE,
    'bridge.createQuote.recipient_address': ADDRESS,
    'bridge.createQuote.amount': '25.00',
    'bridge.create.address': ADDRESS,
  },
  meanings: {
    bridge_transfer_id: 'The id of a transfer, as POST /bridge/transfers answers it',
    route_id: 'The two chains, as GET /bridge/routes lists them',
    stop_reason: 'Stops the route; null opens it again',
    recipient_tag: 'Whose it is at that address, where its ledger knows tags',
    max_fee: 'The most that both fees may come to',
  },
  bodies: () => ({
    'bridge.createQuote': { from_chain: exampleChain().key, to_chain: exampleChain(1).key },
  }),
  origins: [
    [/^bridge\.create\.quote_id$/, 'bridge.createQuote'],
    [/^bridge\.\w+\.bridge_transfer_id$/, 'bridge.create'],
    [/^bridge\.changeRoute\.route_id$/, 'bridge.listRoutes'],
  ],
};

/** What the reference says of this feature beside its declarations; the chains in words. */
export const bridgeWords = (chains: Readonly<Record<string, string>>): FeatureWords => ({
  ...WORDS,
  values: {
    ...WORDS.values,
    ...Object.fromEntries(
      ['BridgeTransfer', 'BridgeQuote', 'BridgeRoute', 'bridge.createQuote'].flatMap((place) => [
        [`${place}.from_chain`, chains],
        [`${place}.to_chain`, chains],
      ]),
    ),
    'BridgeStep.chain': chains,
  },
});
