import { Type } from 'typebox';
import { type AppError, fail } from '#kernel/error.ts';
import { flatEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Fault, type Route } from '#kernel/http/declare/route.ts';
import { flat, integerInput, oneOfWords, text } from '#kernel/http/declare/schema.ts';
import { SOURCES } from '#providers/catalogue/port.ts';
import { Product } from './products.ts';
import type { MarketplaceSearch } from './search.ts';

const endpoint = endpoints(flatEnvelope);

const REQUIRED = 'Search query required';

function invalidSearch(faults: readonly Fault[]): AppError {
  const details = faults.map(({ field, message }) => ({ field, message }));
  const [first] = details;
  const isQuery = first === undefined || details.some(({ field }) => field === 'query');
  const said = isQuery ? REQUIRED : `${first.field} ${first.message}`;
  return fail('VALIDATION_ERROR', said, { details });
}

/** Contract part 2, Marketplace: search. */
export const searchRoutes = ({ search }: { readonly search: MarketplaceSearch }): Route[] => [
  endpoint('POST /marketplace/search', {
    name: 'marketplace.search',
    auth: 'public',
    errors: ['SEARCH_FAILED'],
    summary: 'Finds goods in the marketplaces, misspelt words and other languages included',
    body: Type.Object({
      query: text(200),
      sources: Type.Optional(Type.Array(oneOfWords(SOURCES), { minItems: 1, maxItems: 10 })),
      limit: Type.Optional(integerInput(1, 50)),
    }),
    reply: {
      200: flat({
        query: Type.String(),
        products: Type.Array(Product),
        count: Type.Integer(),
        search_queries: Type.Array(Type.String()),
      }),
    },
    invalid: invalidSearch,
    fault: 'Search failed',
    async handler({ body, request: { ip } }) {
      const { sources = [SOURCES[0]], limit = 10 } = body;
      const query = body.query.replace(/\s+/g, ' ').trim();
      const found = await search({ query, sources: [...new Set(sources)], limit, ip });
      return {
        query: body.query,
        products: [...found.products],
        count: found.products.length,
        search_queries: [...found.search_queries],
      };
    },
  }),
];
