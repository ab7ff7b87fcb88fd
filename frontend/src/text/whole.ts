/** Whether what was typed is a whole number from 0. */
export function isWhole(typed: string): boolean {
  return /^\d+$/.test(typed.trim());
}
