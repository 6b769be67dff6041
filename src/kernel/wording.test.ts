import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kernelTextOf, ours, unlinked } from './wording.ts';

describe('what a caller has written', () => {
  test.each([
    ['https://evil.example/pay', 'https: / /evil. example/pay'],
    ['see http://localhost/x', 'see http: / /localhost/x'],
    ['www.evil.example', 'www. evil. example'],
    ['evil.example', 'evil. example'],
    ['pay@evil.example', 'pay (at) evil. example'],
    ['mailto:x', 'mailto: x'],
    ['tel:+19005550100', 'tel: +19005550100'],
    ['ｈｔｔｐｓ：／／ｅｖｉｌ．ｅｘａｍｐｌｅ', 'https: / /evil. example'],
    ['evil。example', 'evil。 example'],
    ['evil｡example', 'evil。 example'],
    ['evil․example', 'evil. example'],
    ['evil.\u200bexample', 'evil. example'],
    ['evil\u00ad.example', 'evil. example'],
    ['пример.рф', 'пример. рф'],
    ['203.0.113.7/pay', '203. 0. 113. 7/pay'],
    ['203.0.113.7:8080', '203. 0. 113. 7:8080'],
    ['1.evil', '1. evil'],
    ['\u202eelpmaxe.live\u202c', 'elpmaxe. live'],
    ['two\u2028lines\nof\ttext', 'two lines of text'],
  ])('makes no link: %j', (text, shown) => {
    expect(unlinked(text)).toBe(shown);
  });

  test.each([
    ['Ada & Co., Ltd.'],
    ['Nguyễn Văn A'],
    ['О’Коннор-Smith (Jr.)'],
    ['12.50 USD at 15:04'],
    ['You get USD 1,234.50.'],
    ['from 203.0.113.7, twice'],
    ['and/or'],
  ])('stays as it is where it could be none: %j', (text) => {
    expect(unlinked(text)).toBe(text);
  });

  test('in any text nothing holds an address together', () => {
    const pieces = fc.constantFrom(
      ...['https', ':', '/', '//', '.', '。', '．', '@', 'www', 'evil', 'example', '1', ' '],
      ...['\u200b', '\u202e', '\u00ad', '\n', 'é', '＠', '：', '：//', '\ufe00'],
    );
    const link = /:\/\/|\/\/|@|(?<=\p{L}):\S|[.。](?=\p{L})|\p{Cc}|\p{Cf}|[\u2028\u2029]/u;
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        expect(unlinked(parts.join(''))).not.toMatch(link);
      }),
    );
  });
});

test('only what is ours leaves as it is', () => {
  const name = 'Win at https://evil.example';
  expect(
    kernelTextOf([`Hello ${name},`, '', ours('Link: https://pay.example/reset?token=1')]),
  ).toBe('Hello Win at https: / /evil. example,\n\nLink: https://pay.example/reset?token=1');
});

test('no name adds a line to a message', () => {
  expect(kernelTextOf(['Hello A\nPassword: x,', 'Bye']).split('\n')).toHaveLength(2);
});
