import { expect, test } from 'vitest';
import { pageLanguage } from './language.ts';

test('an address that names a language wins, else the browser says what is liked best', () => {
  const cases = [
    [undefined, undefined, 'en'],
    [undefined, 'id-ID,id;q=0.9,en-US;q=0.8', 'id'],
    [undefined, 'en;q=0.4, ID;q=0.6', 'id'],
    [undefined, 'fr,de;q=0.9', 'en'],
    [undefined, 'fr, id;q=0.1', 'id'],
    [undefined, 'id;q=0, en;q=0.1', 'en'],
    [undefined, ';;,q=1,*', 'en'],
    ['id', 'en', 'id'],
    ['en', 'id', 'en'],
    ['xx', 'id', 'id'],
  ] as const;
  for (const [named, accepted, language] of cases)
    expect(pageLanguage(named, accepted), `${named} ${accepted}`).toBe(language);
});
