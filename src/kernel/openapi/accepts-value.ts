import type { DocumentJson } from './plain-schema.ts';

const FORMATS: Readonly<Record<string, RegExp>> = {
  email: /^[^@\s]+@[^@\s]+$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  uri: /^https?:/,
  'date-time': /^\d{4}-\d\d-\d\dT/,
  date: /^\d{4}-\d\d-\d\d$/,
};

/** Whether a field would take that; as far as the schemas of single fields go, and without compiling any. */
export function acceptsValue(field: DocumentJson, value: unknown): boolean {
  const choices = (field['anyOf'] ?? field['oneOf']) as readonly DocumentJson[] | undefined;
  if (choices) return choices.some((choice) => acceptsValue(choice, value));
  if ('const' in field) return field['const'] === value;
  const words = field['enum'] as readonly unknown[] | undefined;
  if (words) return words.includes(value);
  const types = [field['type']].flat();
  if (typeof value === 'number') {
    const fits = types.includes('number') || (types.includes('integer') && Number.isInteger(value));
    return (
      fits &&
      value >= Number(field['minimum'] ?? value) &&
      value <= Number(field['maximum'] ?? value)
    );
  }
  return typeof value === 'string' && types.includes('string') && takesText(field, value);
}

function takesText(field: DocumentJson, value: string): boolean {
  const {
    pattern,
    format,
    minLength = 0,
    maxLength = Number.POSITIVE_INFINITY,
  } = field as {
    pattern?: string;
    format?: string;
    minLength?: number;
    maxLength?: number;
  };
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return false;
  if (format !== undefined && !(FORMATS[format]?.test(value) ?? true)) return false;
  return value.length >= minLength && value.length <= maxLength;
}
