import { cardanoMoves, checkCardano, readCardano } from '../checks/cardano.ts';
import { checkChains, readChains } from '../checks/chains.ts';
import { checkDollars, readDollars } from '../checks/money.ts';
import { checkNetwork, readNetwork } from '../checks/network.ts';
import { checkPoints, readPoints } from '../checks/points.ts';
import { checkRecords, readRecords } from '../checks/records.ts';
import { checkRupiah, readRupiah } from '../checks/rupiah.ts';
import { checkAnswers, checkNodes, checkService } from '../checks/service.ts';
import type { World } from '../checks/world.ts';
import { checkXrpl, readXrpl, xrplMoves } from '../checks/xrpl.ts';
import type { Finding } from './findings.ts';

/** Holds the clients' books against everything that can be seen of the service, once all is over. */
export async function compare(world: World): Promise<Finding[]> {
  const { books, mode } = world;
  const [dollars, network, chains, records, points, cardano, xrpl, rupiah] = await Promise.all([
    readDollars(world),
    readNetwork(world),
    readChains(world),
    readRecords(world),
    readPoints(world),
    readCardano(world),
    readXrpl(world),
    readRupiah(world),
  ]);
  return [
    ...checkDollars(books, dollars, [cardanoMoves, xrplMoves]),
    ...checkNetwork(books, mode, network),
    ...checkChains(world, chains),
    ...checkRecords(books, records),
    ...checkPoints(books, points),
    ...checkCardano(books, cardano),
    ...checkXrpl(books, xrpl),
    ...checkRupiah(books, rupiah),
    ...checkNodes(world),
    ...checkAnswers(books),
    ...(await checkService(world)),
  ];
}
