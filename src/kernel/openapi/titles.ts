import type { OperationName } from '../http/declare/route.ts';

/**
 * A heading of a few words: the action, and its object where the action does not name one. `adjustments.approve` is
 * Approve adjustment, `adjustments.list` List adjustments, `webhookEndpoints.rotateSecret` Rotate secret.
 */
export function titleOf(name: OperationName): string {
  const [thing = '', action = ''] = name.split('.').map(inWords);
  const isWhole = action.includes(' ');
  const object = action === 'list' ? thing : oneOf(thing);
  const title = isWhole ? action : `${action} ${object}`;
  return title.replace(/^./, (letter) => letter.toUpperCase());
}

const inWords = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const oneOf = (things: string): string => things.replace(/ies$/, 'y').replace(/([^su])s$/, '$1');
