import { Value } from 'typebox/value';
import {
  callHttp,
  callRepeatable,
  done,
  type HttpCall,
  type Outcome,
  unknown,
} from '#kernel/provider-call.ts';
import { type CatalogueSettings, catalogueFailure, UNKNOWN_SHAPE } from '../call.ts';
import type { Offer, ShopCatalogue } from '../port.ts';
import { INCLUDES, offerOf, WireFound, WireListing, WireListings } from './wire.ts';

const TIMEOUT_MS = 2_500;
/** Etsy's limit of one answer, of a search and of ids. */
const PAGE_MAX = 100;

/** Reads listings by Etsy's Open API v3: `keystring:shared secret` in `x-api-key`, no log-in. */
export function etsyCatalogue(settings: CatalogueSettings): ShopCatalogue {
  const call = (name: string, path: string): HttpCall => ({
    name: `marketplace-1 ${name}`,
    method: 'GET',
    url: `${settings.url()}/v3/application${path}`,
    headers: { 'x-api-key': settings.key },
    timeoutMs: settings.timeoutMs ?? TIMEOUT_MS,
  });

  /** One by one: a listing of another shape must not hide the others. */
  async function details(ids: readonly number[]): Promise<Outcome<readonly Offer[]>> {
    const query = new URLSearchParams({ listing_ids: ids.join(','), includes: INCLUDES });
    const reply = await callHttp(call('listings', `/listings/batch?${query}`));
    if ('lost' in reply || reply.status !== 200) return catalogueFailure(reply);
    if (!Value.Check(WireListings, reply.json)) return unknown(UNKNOWN_SHAPE);
    const listings = reply.json.results.filter((one) => Value.Check(WireListing, one));
    const byId = new Map(listings.map((listing) => [listing.listing_id, listing]));
    return done(
      ids.flatMap((id) => {
        const listing = byId.get(id);
        return (listing && offerOf(listing)) ?? [];
      }),
    );
  }

  return {
    async search(query, limit) {
      const words = { keywords: query, limit: String(Math.min(limit, PAGE_MAX)), offset: '0' };
      const reply = await callHttp(
        call('search', `/listings/active?${new URLSearchParams(words)}`),
      );
      if ('lost' in reply || reply.status !== 200) return catalogueFailure(reply);
      if (!Value.Check(WireFound, reply.json)) return unknown(UNKNOWN_SHAPE);
      const ids = reply.json.results.map(({ listing_id }) => listing_id).slice(0, PAGE_MAX);
      return ids.length === 0 ? done([]) : details(ids);
    },

    async find(id) {
      if (!/^[1-9]\d{0,14}$/.test(id)) return done(undefined);
      const query = new URLSearchParams({ includes: INCLUDES });
      const reply = await callRepeatable(() => call('listing', `/listings/${id}?${query}`));
      if ('status' in reply && reply.status === 404) return done(undefined);
      if ('lost' in reply || reply.status !== 200) return catalogueFailure(reply);
      if (!Value.Check(WireListing, reply.json)) return unknown(UNKNOWN_SHAPE);
      return done(offerOf(reply.json));
    },
  };
}
