import { Value } from 'typebox/value';
import { callHttp, callRepeatable, done, type HttpCall, unknown } from '#kernel/provider-call.ts';
import { type CatalogueSettings, catalogueFailure, UNKNOWN_SHAPE } from '../call.ts';
import type { ShopCatalogue } from '../port.ts';
import { pasarOfferOf, WireOne, WireProduct, WireSearch } from './wire.ts';

const TIMEOUT_MS = 4_000;
const PAGE_MAX = 60;

/** Reads an IDR catalogue of the form in wire.ts, with a bearer token. */
export function pasarCatalogue({
  url,
  key,
  timeoutMs = TIMEOUT_MS,
}: CatalogueSettings): ShopCatalogue {
  const call = (name: string, path: string): HttpCall => ({
    name: `marketplace-2 ${name}`,
    method: 'GET',
    url: `${url()}/v1${path}`,
    headers: { authorization: `Bearer ${key}` },
    timeoutMs,
  });
  return {
    async search(query, limit) {
      const words = { q: query, per_page: String(Math.min(limit, PAGE_MAX)), page: '1' };
      const reply = await callHttp(call('search', `/products?${new URLSearchParams(words)}`));
      if ('lost' in reply || reply.status !== 200) return catalogueFailure(reply);
      if (!Value.Check(WireSearch, reply.json)) return unknown(UNKNOWN_SHAPE);
      const products = reply.json.data.products.filter((one) => Value.Check(WireProduct, one));
      return done(products.flatMap((one) => pasarOfferOf(one) ?? []));
    },

    async find(id) {
      if (!/^[A-Z0-9-]{3,40}$/.test(id)) return done(undefined);
      const reply = await callRepeatable(() => call('product', `/products/${id}`));
      if ('status' in reply && reply.status === 404) return done(undefined);
      if ('lost' in reply || reply.status !== 200) return catalogueFailure(reply);
      if (!Value.Check(WireOne, reply.json)) return unknown(UNKNOWN_SHAPE);
      return done(pasarOfferOf(reply.json.data.product));
    },
  };
}
