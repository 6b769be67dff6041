import { flatEnvelope } from '#kernel/http/envelope.ts';
import { endpoints } from '#kernel/http/route.ts';

/** The errors of all endpoints of the token (contract part 3). */
export const endpoint = endpoints(flatEnvelope);
