/**
 * What was typed into a field of numbers, for the server: null for nothing, and what is no number as the text that it is,
 * so that the server refuses it under its field. As a number it would be NaN, which JSON writes as null.
 */
export function typedNumber(typed: string): number | null {
  const text = typed.trim();
  if (text === "") return null;
  const value = Number(text);
  return Number.isNaN(value) ? (text as unknown as number) : value;
}
