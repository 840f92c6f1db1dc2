/** Appended to the connection page's text, which defines `engine`. */
export const PYTHON_SOURCE = `
import sqlalchemy
from sqlalchemy import inspect, text, MetaData
print('SQLAlchemy', sqlalchemy.__version__)
look = inspect(engine)
print('schemas', look.get_schema_names())
for schema in ['data']:
    print('tables', sorted(look.get_table_names(schema=schema)), 'views', look.get_view_names(schema=schema))
    for table in look.get_table_names(schema=schema):
        print(table, [c['name'] for c in look.get_columns(table, schema=schema)], look.get_pk_constraint(table, schema=schema),
              look.get_foreign_keys(table, schema=schema), [i['name'] for i in look.get_indexes(table, schema=schema)],
              look.get_table_comment(table, schema=schema), look.get_check_constraints(table, schema=schema))
meta = MetaData()
meta.reflect(bind=engine, schema='data', views=True)
print('reflected', sorted(meta.tables))
with engine.connect() as connection:
    print('sum', connection.execute(text('select sum(amount) from orders')).scalar())
    try:
        print(connection.execute(text('table closed.secret')).all())
    except Exception as problem:
        print('refused', type(problem).__name__)
`

export const JAVA_SOURCE = `
import java.sql.*;
public class Metadata {
  public static void main(String[] args) throws Exception {
    try (Connection c = DriverManager.getConnection(args[0])) {
      DatabaseMetaData m = c.getMetaData();
      System.out.println(m.getDriverName() + " " + m.getDriverVersion() + ", server " + m.getDatabaseProductVersion());
      try (ResultSet r = m.getSchemas()) { while (r.next()) System.out.println("schema " + r.getString(1)); }
      try (ResultSet r = m.getTables(null, "data", "%", null)) { while (r.next()) System.out.println(r.getString("TABLE_TYPE").toLowerCase() + " " + r.getString("TABLE_NAME")); }
      try (ResultSet r = m.getColumns(null, "data", "orders", "%")) { while (r.next()) System.out.println("column " + r.getString("COLUMN_NAME") + " " + r.getString("TYPE_NAME")); }
      try (ResultSet r = m.getPrimaryKeys(null, "data", "orders")) { while (r.next()) System.out.println("primary key " + r.getString("COLUMN_NAME")); }
      try (ResultSet r = m.getImportedKeys(null, "data", "orders")) { while (r.next()) System.out.println("foreign key " + r.getString("PKTABLE_NAME")); }
      try (ResultSet r = m.getIndexInfo(null, "data", "orders", false, true)) { while (r.next()) System.out.println("index " + r.getString("INDEX_NAME")); }
      try (ResultSet r = m.getTablePrivileges(null, "data", "orders")) { while (r.next()) System.out.println("privilege " + r.getString("PRIVILEGE")); }
      try (ResultSet r = m.getTypeInfo()) { int n = 0; while (r.next()) n++; System.out.println("types " + n); }
      try (ResultSet r = m.getFunctions(null, "data", "%")) { while (r.next()) System.out.println("function " + r.getString("FUNCTION_NAME")); }
      try (Statement s = c.createStatement(); ResultSet r = s.executeQuery("select sum(amount) from orders")) { r.next(); System.out.println("sum " + r.getString(1)); }
    }
  }
}
`
