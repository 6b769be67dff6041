import { done, type Outcome, unknown } from '../../kernel/provider-call.ts';

const TAKEN = 409;

export interface GatewayCreation<T> {
  create(): Promise<Outcome<T>>;
  find(): Promise<Outcome<T | undefined>>;
  /** Whether the answer is that of the request. */
  isThis(made: T): boolean;
}

/**
 * One creation under a reference of ours. A refusal counts only where the gateway has nothing under
 * that reference: an earlier try, whose answer got lost, may have made it, and a gateway may refuse
 * the repetition as taken (409), maybe before its list shows the first one. A different creation under the
 * reference is for a person.
 */
export async function createAtGatewayOnce<T>({
  create,
  find,
  isThis,
}: GatewayCreation<T>): Promise<Outcome<T>> {
  const made = await create();
  if (made.kind === 'unknown') return made;
  if (made.kind === 'done') return isThis(made.value) ? made : unknown('answered something else');
  const found = await find();
  if (found.kind !== 'done') return unknown(`refused by ${made.code}, and not looked up`);
  if (found.value === undefined)
    return made.status === TAKEN ? unknown(`refused by ${made.code}, and not found`) : made;
  return isThis(found.value) ? done(found.value) : unknown('the reference stands for another');
}
