import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newObjectUuid, objectId, uuidOfObjectId } from './object-id.ts';

const uuid = fc.uuid();

test('an id is its prefix and 26 digits in lower case, and leads back to its UUID', () => {
  fc.assert(
    fc.property(uuid, (of) => {
      const id = objectId('wdr', of);
      expect(id).toMatch(/^wdr_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
      expect(uuidOfObjectId('wdr', id)).toBe(of);
      expect(uuidOfObjectId('trf', id)).toBeUndefined();
    }),
  );
});

test('another form is no id', () => {
  const id = objectId('fil', newObjectUuid(Date.UTC(2026, 10, 28)));
  const others = [id.toUpperCase(), id.slice(1), `${id}0`, `${id}\n`, id.replace('_', '-'), ''];
  for (const other of others) expect(uuidOfObjectId('fil', other)).toBeUndefined();
  expect(uuidOfObjectId('fil', `fil_8${'0'.repeat(25)}`)).toBeUndefined();
  expect(uuidOfObjectId('fil', `fil_0${'i'.repeat(25)}`)).toBeUndefined();
});

test('a UUID begins with its time, so that later ids sort behind earlier ones', () => {
  const times = [0, 1, Date.UTC(2026, 10, 28), Date.UTC(2026, 10, 28) + 1];
  const ids = times.map((ms) => objectId('trf', newObjectUuid(ms)));
  expect(ids.toSorted()).toEqual(ids);
  expect(newObjectUuid(5)).toMatch(/^00000000-0005-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
