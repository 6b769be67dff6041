/**
 * Keeps what is made of a schema for all services of a process. Each service declares its endpoints itself, so equal
 * schemas are different objects; they are equal by their text. There are as many as are declared.
 */
export function byContent<Made>(): (schema: object, make: () => Made) => Made {
  const made = new Map<string, Made>();
  return (schema, make) => {
    const text = JSON.stringify(schema);
    const known = made.get(text) ?? make();
    made.set(text, known);
    return known;
  };
}
