import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { reconciled } from '#test/books.ts';
import { harness } from '#test/harness.ts';
import { broken, gatewayOf, houseOf, mintRow, tokenUser, untilMinted } from '#test/idr-token.ts';

const h = await harness({ mock: false, config: { JWT_TTL: '10000000' } });
await h.drain();
const gateway = gatewayOf(h);
const operator = await h.operator();
const someone = async () => tokenUser(h, await h.user());
