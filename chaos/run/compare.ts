import { checkTalks, readTalks, sentByTalk } from '../checks/agent.ts';
import { bankMoves, checkBank, readBank } from '../checks/bank.ts';
import { cardanoMoves, checkCardano, readCardano } from '../checks/cardano.ts';
import { checkChains, readChains } from '../checks/chains.ts';
import { checkChargeBacks, readChargeBacks } from '../checks/charge-backs.ts';
import { checkConversions, conversionPayouts, readConversions } from '../checks/conversions.ts';
import { checkCorrections, correctionMoves, readCorrections } from '../checks/corrections.ts';
import type { Finding } from '../checks/findings.ts';
import { checkFreezes, readFreezes } from '../checks/freezes.ts';
import { checkLatePayments, readLatePayments } from '../checks/late-payments.ts';
import { checkDollars, readDollars } from '../checks/money.ts';
import { checkNetwork, readNetwork } from '../checks/network.ts';
import { checkPaidOn, paidOnMoves, readPaidOn } from '../checks/pay-on.ts';
import { checkPayments, readPayments } from '../checks/payments.ts';
import { checkPoints, readPoints } from '../checks/points.ts';
import { checkRecords, readRecords } from '../checks/records.ts';
import { checkRupiah, readRupiah } from '../checks/rupiah.ts';
import { sentByCall } from '../checks/sends.ts';
import { checkAnswers, checkNodes, checkService } from '../checks/service.ts';
import { checkShopping, readShopping } from '../checks/shopping.ts';
import { checkStops, readStops } from '../checks/stops.ts';
import { checkWebhooks, readWebhooks } from '../checks/webhooks.ts';
import type { World } from '../checks/world.ts';
import { checkXrpl, readXrpl, xrplMoves } from '../checks/xrpl.ts';

/** Compares the clients' books with the whole visible state of the service, at the end. */
export async function compare(world: World): Promise<Finding[]> {
  const [first, more] = await Promise.all([compareFirst(world), compareMore(world)]);
  return [...first, ...more, ...checkNodes(world), ...checkAnswers(world.books)];
}

/** Cards, rewards, ledgers outside, and the service's own view. */
async function compareFirst(world: World): Promise<Finding[]> {
  const { books, mode } = world;
  const [dollars, network, points, cardano, xrpl, rupiah] = await Promise.all([
    readDollars(world),
    readNetwork(world),
    readPoints(world),
    readCardano(world),
    readXrpl(world),
    readRupiah(world),
  ]);
  return [
    ...checkDollars(books, dollars, [
      cardanoMoves,
      xrplMoves,
      bankMoves,
      correctionMoves,
      paidOnMoves,
    ]),
    ...checkNetwork(books, mode, network),
    ...checkPoints(books, points),
    ...checkCardano(books, cardano),
    ...checkXrpl(books, xrpl),
    ...checkRupiah(books, rupiah, conversionPayouts(books)),
    ...checkPayments(await readPayments(world)),
    ...(await checkService(world)),
  ];
}

/** Wallets on chain and all movements there, banks, and webhooks. */
async function compareMore(world: World): Promise<Finding[]> {
  const { books, mode } = world;
  const [chains, records, talks, bank, conversions, shopping, webhooks] = await Promise.all([
    readChains(world),
    readRecords(world),
    readTalks(world),
    readBank(world),
    readConversions(world),
    readShopping(world),
    readWebhooks(world),
  ]);
  const sends = [...sentByCall(books), ...sentByTalk(books, talks)];
  return [
    ...checkChains(world, chains, { sends, arrived: conversions.arrived }),
    ...checkRecords(books, records, sends),
    ...checkTalks(books, talks),
    ...checkBank(books, mode, bank),
    ...checkCorrections(books, await readCorrections(world)),
    ...checkPaidOn(books, await readPaidOn(world)),
    ...checkFreezes(books, await readFreezes(world)),
    ...checkStops(books, await readStops(world)),
    ...checkChargeBacks(books, await readChargeBacks(world)),
    ...checkLatePayments(books, await readLatePayments(world)),
    ...checkConversions(books, conversions),
    ...checkShopping(books, shopping),
    ...checkWebhooks(webhooks),
  ];
}
