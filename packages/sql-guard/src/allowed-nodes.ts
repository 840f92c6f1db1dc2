/** An allowlist, so that nodes of newer Postgres versions are refused. */
export const ALLOWED_NODES: ReadonlySet<string> = new Set([
  'SelectStmt',
  'ExplainStmt',
  'DefElem',
  'CommonTableExpr',
  'RangeVar',
  'RangeSubselect',
  'RangeFunction',
  'JoinExpr',
  'ResTarget',
  'ColumnRef',
  'A_Star',
  'A_Const',
  'A_Expr',
  'A_ArrayExpr',
  'A_Indirection',
  'A_Indices',
  'BoolExpr',
  'BooleanTest',
  'NullTest',
  'CaseExpr',
  'CaseWhen',
  'CoalesceExpr',
  'MinMaxExpr',
  'CollateClause',
  'FuncCall',
  'NamedArgExpr',
  'GroupingFunc',
  'GroupingSet',
  'SQLValueFunction',
  'SortBy',
  'SubLink',
  'TypeCast',
  'TypeName',
  'RowExpr',
  'WindowDef',
  'List',
  'String',
  'Integer',
  'Float',
  'Boolean',
  'BitString',
  'ParamRef',
  'Alias',
])

export const FORBIDDEN_FIELDS: Readonly<Record<string, string>> = {
  intoClause: 'SELECT … INTO creates a table.',
  lockingClause: 'FOR UPDATE and FOR SHARE lock rows.',
}

/** SQL value functions: only the clock. Others reveal roles and databases. */
export const ALLOWED_VALUE_FUNCTIONS: ReadonlySet<string> = new Set([
  'SVFOP_CURRENT_DATE',
  'SVFOP_CURRENT_TIME',
  'SVFOP_CURRENT_TIME_N',
  'SVFOP_CURRENT_TIMESTAMP',
  'SVFOP_CURRENT_TIMESTAMP_N',
  'SVFOP_LOCALTIME',
  'SVFOP_LOCALTIME_N',
  'SVFOP_LOCALTIMESTAMP',
  'SVFOP_LOCALTIMESTAMP_N',
])

/** Casts to reg* types look up names in the catalogue. */
export const FORBIDDEN_TYPES =
  /^(reg(class|proc|procedure|oper|operator|type|role|namespace|config|dictionary|collation|database)|aclitem|pg_.*)$/
