import type { Finding, FindingKind } from '../checks/findings.ts';
import type { World } from '../checks/world.ts';
import type { ClientDeps } from '../clients/client.ts';
import type { Mode } from '../plan/plan.ts';
import { compare } from './compare.ts';
import { bookControls, keyControls } from './controls-of-books.ts';
import { chargeBackControls, latePaymentControls, stopControls } from './controls-of-extras.ts';
import { moneyControls } from './controls-of-money.ts';
import { cardanoControls, rupiahControls, xrplControls } from './controls-of-rails.ts';
import { chainControls, serviceControls } from './controls-of-service.ts';
import {
  bankControls,
  conversionControls,
  shoppingControls,
  webhookControls,
} from './controls-of-shopping.ts';

/** Something done on purpose that the comparison has to find. */
export interface Control {
  readonly name: string;
  /** In which mode there is something to be spoiled; in both where it says nothing. */
  readonly mode?: Mode;
  spoil(place: Spoiling): Promise<unknown>;
  /** Where it has to show, and as what. */
  readonly finds: FindingKind;
  readonly where: RegExp;
  /** What finds it, if not the comparison. */
  look?(place: Spoiling): Promise<Finding[]> | Finding[];
}

export interface Spoiling {
  readonly world: World;
  readonly deps: ClientDeps;
  /** Processes that belong to the service's folder and are never ended. */
  readonly strays: number[];
  /** One statement as superuser, by whom no trigger and no grant is heeded. */
  sql(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

export const CONTROLS: readonly Control[] = [
  ...bookControls,
  ...moneyControls,
  ...stopControls,
  ...chargeBackControls,
  ...latePaymentControls,
  ...chainControls,
  ...cardanoControls,
  ...xrplControls,
  ...rupiahControls,
  ...bankControls,
  ...conversionControls,
  ...shoppingControls,
  ...webhookControls,
  ...serviceControls,
  ...keyControls,
];

export interface Tried {
  readonly name: string;
  readonly isCaught: boolean;
}

/** Spoils one thing after another and looks whether it is found. The world is of no use afterwards. */
export async function tryControls(place: Spoiling, names: readonly string[]): Promise<Tried[]> {
  const tried: Tried[] = [];
  let known = new Set((await compare(place.world)).map(nameOf));
  for (const { name, mode, spoil, finds, where, look } of CONTROLS) {
    if (!names.includes(name) || (mode ?? place.world.mode) !== place.world.mode) continue;
    await spoil(place);
    const found = look ? await look(place) : await compare(place.world);
    const isCaught = found.some(
      (one) => one.kind === finds && where.test(one.where) && !known.has(nameOf(one)),
    );
    tried.push({ name, isCaught });
    known = new Set([...known, ...found.map(nameOf)]);
  }
  return tried;
}

/** Of processes that a control has left behind, whether they were found at the end. */
export function triedStrays(strays: readonly number[], left: readonly Finding[]): Tried[] {
  if (strays.length === 0) return [];
  return [{ name: 'left-over', isCaught: left.length === strays.length }];
}

const nameOf = (finding: Finding): string => JSON.stringify(finding);
