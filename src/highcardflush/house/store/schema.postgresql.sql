-- Everything in the schema :home, item by item: what there is, and how it reads.
WITH own AS (
    SELECT c.*, CASE c.relkind WHEN 'r' THEN 'table ' WHEN 'v' THEN 'view ' WHEN 'S' THEN 'sequence ' ELSE 'relation ' END
        || c.relname AS item
    FROM pg_class c WHERE c.relnamespace = :home AND c.relkind NOT IN ('i', 'I', 'c', 't')
),
owner AS (SELECT relowner AS oid FROM own WHERE relname = 'alembic_version')
SELECT item, concat_ws(', ', 'kind ' || CAST(relkind AS text), CASE relpersistence WHEN 'p' THEN 'logged' ELSE 'not logged' END,
    CASE WHEN relrowsecurity THEN 'row security' END,
    CASE WHEN relowner <> (SELECT oid FROM owner) THEN 'owned by ' || pg_get_userbyid(relowner) END)
FROM own
UNION ALL
SELECT own.item || ': column ' || a.attname, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
    CASE WHEN a.attcollation <> 0 THEN 'COLLATE ' || CAST(CAST(a.attcollation AS regcollation) AS text) END,
    CASE WHEN a.attnotnull THEN 'NOT NULL' END,
    'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), nullif(CAST(a.attgenerated AS text), ''), nullif(CAST(a.attidentity AS text), ''))
FROM own JOIN pg_attribute a ON a.attrelid = own.oid LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE a.attnum > 0 AND NOT a.attisdropped
UNION ALL
-- a column's NOT NULL is told with it; since version 18 it is a constraint too
SELECT own.item || ': constraint ' || c.conname, pg_get_constraintdef(c.oid)
FROM own JOIN pg_constraint c ON c.conrelid = own.oid WHERE c.contype NOT IN ('n', 't')
UNION ALL
SELECT own.item || ': index ' || c.relname, pg_get_indexdef(i.indexrelid)
    || CASE WHEN i.indisvalid AND i.indisready AND i.indislive THEN '' ELSE ' (not in use)' END
FROM own JOIN pg_index i ON i.indrelid = own.oid JOIN pg_class c ON c.oid = i.indexrelid
UNION ALL
-- those of a foreign key are named by the server: what they call tells them apart
SELECT own.item || ': trigger ' || CASE WHEN t.tgisinternal THEN coalesce(c.conname, '') || ' ' || p.proname ELSE t.tgname END,
    CASE WHEN t.tgisinternal THEN '' ELSE pg_get_triggerdef(t.oid) || ' ' END
    || CASE t.tgenabled WHEN 'O' THEN 'on' WHEN 'A' THEN 'on' ELSE 'off' END
FROM own JOIN pg_trigger t ON t.tgrelid = own.oid JOIN pg_proc p ON p.oid = t.tgfoid
    LEFT JOIN pg_constraint c ON c.oid = t.tgconstraint
UNION ALL
SELECT own.item || ': rule ' || r.rulename, pg_get_ruledef(r.oid)
FROM own JOIN pg_rewrite r ON r.ev_class = own.oid WHERE own.relkind = 'r'
UNION ALL
SELECT own.item || ': policy ' || p.polname, coalesce(pg_get_expr(p.polqual, p.polrelid), 'with check only')
FROM own JOIN pg_policy p ON p.polrelid = own.oid
UNION ALL
SELECT own.item || ': child ' || CAST(CAST(i.inhrelid AS regclass) AS text), 'its rows are told as of this table'
FROM own JOIN pg_inherits i ON i.inhparent = own.oid
UNION ALL
SELECT 'function ' || CAST(CAST(p.oid AS regprocedure) AS text),
    CASE WHEN p.prokind IN ('f', 'p') THEN pg_get_functiondef(p.oid) ELSE 'kind ' || CAST(p.prokind AS text) END
    || CASE WHEN p.proowner <> (SELECT oid FROM owner) THEN ' owned by ' || pg_get_userbyid(p.proowner) ELSE '' END
FROM pg_proc p WHERE p.pronamespace = :home
UNION ALL
SELECT 'operator ' || CAST(CAST(o.oid AS regoperator) AS text), CAST(CAST(o.oprcode AS regprocedure) AS text)
FROM pg_operator o WHERE o.oprnamespace = :home
UNION ALL
SELECT 'type ' || format_type(t.oid, NULL), 'kind ' || CAST(t.typtype AS text)
FROM pg_type t WHERE t.typnamespace = :home AND t.typrelid = 0 AND t.typelem = 0
UNION ALL
-- a role looks first into a schema of its own name
SELECT 'relation ' || CAST(CAST(c.oid AS regclass) AS text), 'hides the one of the books'
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_roles r ON r.rolname = n.nspname
WHERE n.oid <> :home AND c.relname IN (SELECT relname FROM own WHERE relkind = 'r')
UNION ALL
-- a session that takes itself for a replica runs no triggers
SELECT 'setting ' || setting, 'of ' || CASE s.setrole WHEN 0 THEN 'everybody' ELSE pg_get_userbyid(s.setrole) END
FROM pg_db_role_setting s CROSS JOIN unnest(s.setconfig) AS setting
WHERE s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    AND starts_with(setting, 'session_replication_role=')
ORDER BY 1, 2
