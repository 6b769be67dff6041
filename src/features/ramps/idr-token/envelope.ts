import { flatEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints } from '#kernel/http/declare/route.ts';

/** The errors of all endpoints of the token (contract part 3). */
export const idrTokenEndpoint = endpoints(flatEnvelope);
