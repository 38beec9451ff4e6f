BEGIN TRANSACTION;
CREATE TABLE acknowledged (
	alert TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	CONSTRAINT acknowledged_pkey PRIMARY KEY (alert)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE changes (
	change INTEGER NOT NULL, 
	decided INTEGER, 
	CONSTRAINT changes_pkey PRIMARY KEY (change)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE credentials (
	person TEXT NOT NULL, 
	shown TEXT NOT NULL, 
	login TEXT, 
	secret TEXT, 
	totp TEXT, 
	changed INTEGER NOT NULL, 
	CONSTRAINT credentials_pkey PRIMARY KEY (person)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE events (
	stream TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	at INTEGER NOT NULL, 
	office INTEGER NOT NULL, 
	actor TEXT NOT NULL, 
	role TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	number INTEGER, 
	"key" TEXT, 
	request BLOB, 
	body TEXT NOT NULL, 
	sealed BLOB, 
	hash BLOB NOT NULL, 
	CONSTRAINT events_pkey PRIMARY KEY (stream, seq), 
	CONSTRAINT events_seq_check CHECK (seq > 0)
)
 STRICT

;
INSERT INTO "events" VALUES('cage',1,1763000000000000,2,'cal','cashier','buy-in',NULL,'k1',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F','{"player":"ann"}',NULL,X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F');
INSERT INTO "events" VALUES('table/one',1,1763000000000000,2,'dan','dealer','open',1,NULL,NULL,'{}',X'00FF7365616C6564',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F');
CREATE TABLE flows (
	meter TEXT NOT NULL, 
	stream TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	meter_micros INTEGER NOT NULL, 
	reserve_micros INTEGER NOT NULL, 
	CONSTRAINT flows_pkey PRIMARY KEY (meter, stream)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE house (
	one INTEGER NOT NULL, 
	epoch INTEGER NOT NULL, 
	key_id TEXT NOT NULL, 
	revision TEXT NOT NULL, 
	office INTEGER NOT NULL, 
	approval INTEGER NOT NULL, 
	CONSTRAINT house_pkey PRIMARY KEY (one), 
	CONSTRAINT house_one_check CHECK (one = 1)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE leases (
	stream TEXT NOT NULL, 
	holder TEXT NOT NULL, 
	until INTEGER NOT NULL, 
	CONSTRAINT leases_pkey PRIMARY KEY (stream)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE moves (
	player TEXT NOT NULL, 
	n INTEGER NOT NULL, 
	stream TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	micros INTEGER NOT NULL, 
	CONSTRAINT moves_pkey PRIMARY KEY (player, n)
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "moves" VALUES('ann',1,'cage',1,5000000);
CREATE TABLE people (
	name TEXT NOT NULL, 
	role TEXT NOT NULL, 
	active INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	shift INTEGER, 
	CONSTRAINT people_pkey PRIMARY KEY (name)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE sessions (
	digest BLOB NOT NULL, 
	person TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	made INTEGER NOT NULL, 
	until INTEGER NOT NULL, 
	proved INTEGER NOT NULL, 
	note TEXT NOT NULL, 
	CONSTRAINT sessions_pkey PRIMARY KEY (digest)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE streams (
	name TEXT NOT NULL, 
	house_micros INTEGER DEFAULT '0' NOT NULL, 
	chips_micros INTEGER DEFAULT '0' NOT NULL, 
	CONSTRAINT streams_pkey PRIMARY KEY (name)
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "streams" VALUES('cage',0,0);
INSERT INTO "streams" VALUES('meter/mega',0,0);
INSERT INTO "streams" VALUES('table/one',0,0);
CREATE TABLE transfers (
	stream TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	n INTEGER NOT NULL, 
	source TEXT NOT NULL, 
	target TEXT NOT NULL, 
	micros INTEGER NOT NULL, 
	CONSTRAINT transfers_pkey PRIMARY KEY (stream, seq, n), 
	CONSTRAINT transfers_event_fkey FOREIGN KEY(stream, seq) REFERENCES events (stream, seq), 
	CONSTRAINT transfers_micros_check CHECK (micros > 0), 
	CONSTRAINT transfers_accounts_check CHECK (source <> target)
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "transfers" VALUES('cage',1,1,'cage','wallet/ann',5000000);
INSERT INTO "transfers" VALUES('table/one',1,1,'house','meter/mega',5000000);
CREATE TABLE wallets (
	player TEXT NOT NULL, 
	micros INTEGER NOT NULL, 
	moves INTEGER DEFAULT '0' NOT NULL, 
	bought_cents INTEGER DEFAULT '0' NOT NULL, 
	cashed_cents INTEGER DEFAULT '0' NOT NULL, 
	CONSTRAINT wallets_pkey PRIMARY KEY (player), 
	CONSTRAINT wallets_micros_check CHECK (micros >= 0)
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "wallets" VALUES('ann',5000000,1,0,0);
CREATE UNIQUE INDEX events_key ON events (actor, "key") WHERE key IS NOT NULL;
CREATE UNIQUE INDEX events_number ON events (stream, kind, number) WHERE number IS NOT NULL;
CREATE UNIQUE INDEX people_shift ON people (shift) WHERE shift IS NOT NULL;
CREATE UNIQUE INDEX changes_waiting ON changes (change) WHERE decided IS NULL;
CREATE UNIQUE INDEX acknowledged_seq ON acknowledged (seq);
CREATE UNIQUE INDEX credentials_login ON credentials (login) WHERE login IS NOT NULL;
CREATE UNIQUE INDEX sessions_person ON sessions (person, digest);
CREATE UNIQUE INDEX sessions_until ON sessions (until, digest);
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events_no_update: never update events'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events_no_delete: never delete events'); END;
CREATE TRIGGER transfers_no_update BEFORE UPDATE ON transfers BEGIN SELECT RAISE(ABORT, 'transfers_no_update: never update transfers'); END;
CREATE TRIGGER transfers_no_delete BEFORE DELETE ON transfers BEGIN SELECT RAISE(ABORT, 'transfers_no_delete: never delete transfers'); END;
CREATE TRIGGER moves_no_update BEFORE UPDATE ON moves BEGIN SELECT RAISE(ABORT, 'moves_no_update: never update moves'); END;
CREATE TRIGGER moves_no_delete BEFORE DELETE ON moves BEGIN SELECT RAISE(ABORT, 'moves_no_delete: never delete moves'); END;
CREATE TRIGGER acknowledged_no_update BEFORE UPDATE ON acknowledged BEGIN SELECT RAISE(ABORT, 'acknowledged_no_update: never update acknowledged'); END;
CREATE TRIGGER acknowledged_no_delete BEFORE DELETE ON acknowledged BEGIN SELECT RAISE(ABORT, 'acknowledged_no_delete: never delete acknowledged'); END;
CREATE TRIGGER wallets_no_delete BEFORE DELETE ON wallets BEGIN SELECT RAISE(ABORT, 'wallets_no_delete: never delete wallets'); END;
CREATE TRIGGER flows_no_delete BEFORE DELETE ON flows BEGIN SELECT RAISE(ABORT, 'flows_no_delete: never delete flows'); END;
CREATE TRIGGER people_no_delete BEFORE DELETE ON people BEGIN SELECT RAISE(ABORT, 'people_no_delete: never delete people'); END;
CREATE TRIGGER changes_no_delete BEFORE DELETE ON changes BEGIN SELECT RAISE(ABORT, 'changes_no_delete: never delete changes'); END;
CREATE TRIGGER house_no_delete BEFORE DELETE ON house BEGIN SELECT RAISE(ABORT, 'house_no_delete: never delete house'); END;
CREATE TRIGGER streams_no_delete BEFORE DELETE ON streams BEGIN SELECT RAISE(ABORT, 'streams_no_delete: never delete streams'); END;
COMMIT;
