import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attributeAt, elementsOf, readXml, textAt, writeXml } from './xml.ts';

test('elements are read by their local names, with attributes and texts as they stand', () => {
  const root = readXml(
    '<?xml version="1.0"?><!-- c --><d:Doc xmlns:d="urn:x"><d:A Ccy="SGD">007.10</d:A><A>b &amp; c &#233;</A><E/></d:Doc>',
  );
  expect(elementsOf(root, 'Doc', 'A')).toHaveLength(2);
  expect(textAt(root, 'Doc', 'A')).toBe('007.10');
  expect(attributeAt(root, 'Ccy', 'Doc', 'A')).toBe('SGD');
  expect(textAt(elementsOf(root, 'Doc', 'A')[1])).toBe('b & c é');
  expect([textAt(root, 'Doc', 'E'), textAt(root, 'Doc', 'Z')]).toEqual([undefined, undefined]);
});

test.each([
  ['a document type', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
  ['a document type in small letters', '<!doctype a><a/>'],
  ['an external entity', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'],
  ['an entity without a declaration', '<a>&x;</a>'],
  ['a CDATA section', '<a><![CDATA[x]]></a>'],
  ['an element that does not end', '<a><b></a>'],
  ['two roots', '<a/><b/>'],
  ['nothing', ''],
  ['JSON', '{"a":1}'],
  ['nesting without end', `${'<a>'.repeat(200)}${'</a>'.repeat(200)}`],
])('%s is refused', (_, text) => {
  expect(readXml(text)).toBeUndefined();
});

test('what every object has is no element', () => {
  const root = readXml('<a><b>x</b></a>');
  for (const name of ['valueOf', 'constructor', '__proto__'])
    expect(textAt(root, 'a', name)).toBeUndefined();
});

test('what is written is read again, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
      const xml = writeXml({ Doc: { '@id': 'i', A: [{ '#text': text }, 'b'] } });
      const root = readXml(xml);
      expect(elementsOf(root, 'Doc', 'A')).toHaveLength(2);
      expect(attributeAt(root, 'id', 'Doc')).toBe('i');
    }),
  );
  const odd = `<&>"' \u0000\u0008Đức`;
  expect(textAt(readXml(writeXml({ A: odd })), 'A')).toBe(`<&>"' Đức`);
});
