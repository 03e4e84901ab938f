//! The records behind the numbers: each source has one of every day and one of every night, and what was entered by hand is one of its
//! own. A night's record is the sleep that can be asked for under the same id.

use jiff::civil::Date;
use uuid::Uuid;

use super::bucket::By;
use super::entries::NAP;
use super::profile::Profile;
use super::source::View;
use super::stat::Stat;

/// What the statistics of a bucket were made from.
pub(crate) struct Behind<'a> {
    pub(crate) person: &'a Profile,
    pub(crate) view: &'a View,
    pub(crate) date: Date,
    pub(crate) by: By,
    /// The part of the night's id, in a day that shows a night.
    pub(crate) night: Option<u8>,
    pub(crate) nap: bool,
}

impl Behind<'_> {
    /// The ids of the records that these statistics of the bucket come from, each once.
    pub(crate) fn ids(&self, stats: impl Iterator<Item = Stat>) -> Vec<Uuid> {
        let (mut days, mut nights, mut ride, mut nap) = (0_u32, 0_u32, false, false);
        let mut own_night = false;
        for stat in stats {
            match stat {
                Stat::Steps | Stat::Walking | Stat::Running | Stat::Basal | Stat::ActivityScore => days |= self.by.movement,
                Stat::Cycling | Stat::Distance | Stat::Active | Stat::Total => {
                    days |= self.by.movement;
                    ride |= self.by.ride;
                }
                Stat::Heart | Stat::HeartMin | Stat::HeartMax | Stat::StressScore => days |= self.by.heart,
                Stat::Resting | Stat::Rmssd | Stat::Sdnn => days |= self.by.body,
                Stat::Skin => nights |= self.by.body,
                Stat::SleepScore => own_night = true,
                Stat::Asleep => {
                    own_night = true;
                    nap |= self.nap;
                }
                Stat::RecoveryScore => {
                    own_night = true;
                    days |= self.by.body;
                }
            }
        }
        let person = self.person;
        let sources = |bits: u32| self.view.sources.iter().enumerate().filter(move |(at, _)| bits >> at & 1 == 1).map(|(_, source)| source);
        let mut ids: Vec<Uuid> = sources(days).map(|source| person.dated_id(source.slug, self.date, 0)).collect();
        let mut parts: Vec<u8> = sources(nights).map(|source| source.part(person)).collect();
        parts.extend(self.night.filter(|_| own_night));
        parts.extend(nap.then_some(NAP));
        parts.sort_unstable();
        parts.dedup();
        ids.extend(parts.into_iter().map(|part| person.dated_id("sleep", self.date, part)));
        if ride {
            ids.push(person.dated_id("ride by hand", self.date, 0));
        }
        ids
    }
}
