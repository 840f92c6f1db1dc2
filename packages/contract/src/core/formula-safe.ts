/** A spreadsheet runs cells that begin so; a plain number is none of them. */
const FORMULA = /^[=+\-@\t\r]/
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

export const isFormula = (text: string): boolean => FORMULA.test(text) && !NUMBER.test(text)

/** The one rule for cells of CSV files that people open in a spreadsheet; `copyRows` of workspace-db has the same in SQL. */
export const toFormulaSafe = (text: string): string => (isFormula(text) ? `'${text}` : text)
