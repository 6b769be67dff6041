import { crockfordOf, uuidOfCrockford } from '../crockford.ts';

const PREFIX = 'evt_';
const ID = /^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** `evt_` and the UUID in 26 digits. */
export const eventIdOf = (uuid: string): string => PREFIX + crockfordOf(uuid);

/** The UUID of an id; nothing where it is none. */
export const uuidOf = (id: string): string | undefined =>
  ID.test(id) ? uuidOfCrockford(id.slice(PREFIX.length)) : undefined;
