import { Type } from 'typebox';
import { fail } from '#kernel/error.ts';
import type { Catalogue } from '#kernel/events/catalogue.ts';
import { explained } from '#kernel/http/declare/schema.ts';

/** The query of types. */
export const TypesInput = explained(
  Type.String({ pattern: '^[a-z0-9_.*]+(,[a-z0-9_.*]+)*$', maxLength: 2000 }),
  'Types, separated by commas: `payment.succeeded`, `payment.*`, `*`',
);

/** The names that a query matches; undefined for all. Throws VALIDATION_ERROR where it matches none. */
export function typesOf(
  catalogue: Catalogue,
  asked: string | undefined,
): readonly string[] | undefined {
  if (asked === undefined || asked === '*') return undefined;
  const names = asked.split(',').map((filter) => {
    const meant = catalogue.match(filter);
    if (meant.length === 0)
      throw fail('VALIDATION_ERROR', `There is no type of event ${filter}: see GET /event-types`);
    return meant;
  });
  return [...new Set(names.flat())];
}
