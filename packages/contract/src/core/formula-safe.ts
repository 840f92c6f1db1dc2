/** Spreadsheets execute cells that begin so; plain numbers are exempt. */
const FORMULA = /^[=+\-@\t\r]/
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

export const isFormula = (text: string): boolean => FORMULA.test(text) && !NUMBER.test(text)

/** CSV injection: `copyRows` of workspace-db applies the same rule in SQL. */
export const toFormulaSafe = (text: string): string => (isFormula(text) ? `'${text}` : text)
